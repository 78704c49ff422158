"""A whole vLLM with a tiny model of random weights, in a process of its own: `python live_engine.py PLAN.json`.

The plan is a JSON object: `engine` (arguments of `LLM`), `requests` (`prompt`, `params`, `at` and `abort_at`: engine
steps before which it is added and aborted), `processors` (`module:Class`; `class:module:Class` for the class itself),
`builtins` (false takes vLLM's own processors out, so that ours can stand in their place), `pause` (seconds after each
engine step), `path` (entries for sys.path), `probe` (a module whose `seen()` is put into the result). What came out
is one JSON object in the file result.json beside the plan.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path

MODEL = {
    "architectures": ["OPTForCausalLM"],
    "model_type": "opt",
    "hidden_size": 128,
    "word_embed_proj_dim": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "ffn_dim": 64,
    "vocab_size": 64,
    "max_position_embeddings": 128,
    "torch_dtype": "float32",
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 2,
}
ENGINE = {
    "load_format": "dummy",
    "skip_tokenizer_init": True,
    "max_model_len": 64,
    "enforce_eager": True,
    "dtype": "float32",
    "max_num_seqs": 4,
    "disable_log_stats": True,
}
ENVIRONMENT = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "HF_HUB_OFFLINE": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_NO_USAGE_STATS": "1",
    "OMP_NUM_THREADS": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
}


def processor(name):
    """`module:Class` stays text for vLLM to load; `class:module:Class` becomes the class."""
    if not name.startswith("class:"):
        return name
    _, module, attribute = name.split(":")
    return getattr(import_module(module), attribute)


def make_engine(plan, folder):
    """An `LLM` over a model that is nothing but a configuration."""
    model = folder / "model"
    model.mkdir(exist_ok=True)
    (model / "config.json").write_text(json.dumps(MODEL))
    from vllm import LLM

    if not plan.get("builtins", True):
        from vllm.v1.sample import logits_processor

        logits_processor.BUILTIN_LOGITS_PROCESSORS.clear()
    loaded = [processor(name) for name in plan["processors"]]
    return LLM(model=str(model), **{**ENGINE, **plan.get("engine", {})}, logits_processors=loaded)


def params_of(fields):
    """vLLM's params. JSON has no integer keys."""
    from vllm import SamplingParams

    fields = dict(fields)
    if "logit_bias" in fields:
        fields["logit_bias"] = {int(token): bias for token, bias in fields["logit_bias"].items()}
    return SamplingParams(detokenize=False, **fields)


def add(engine, name, request):
    """Let a request arrive."""
    prompt = {"prompt_token_ids": request["prompt"]}
    engine.llm_engine.add_request(name, prompt, params_of(request["params"]))


def drive(engine, plan):
    """Take the engine's steps one by one until every request is done; tokens by request."""
    core = engine.llm_engine
    tokens = {str(number): [] for number in range(len(plan["requests"]))}
    waiting = dict(enumerate(plan["requests"]))
    aborts = {str(n): r["abort_at"] for n, r in waiting.items() if "abort_at" in r}
    steps = 0
    while waiting or core.has_unfinished_requests():
        for number in [n for n, request in waiting.items() if request.get("at", 0) <= steps]:
            request = waiting.pop(number)
            add(engine, str(number), request)
        for name in [n for n, at in aborts.items() if at <= steps]:
            del aborts[name]
            core.abort_request([name])
        for output in core.step():
            tokens[output.request_id.split("-")[0]] = list(output.outputs[0].token_ids)
        steps += 1
        time.sleep(plan.get("pause", 0))
    return {"tokens": tokens, "engine_steps": steps}


def main():
    path = Path(sys.argv[1])
    plan = json.loads(path.read_text())
    os.environ.update({**ENVIRONMENT, **plan.get("environment", {})})
    sys.path[:0] = [str(path.parent), str(Path(__file__).parent), *plan.get("path", [])]
    engine = make_engine(plan, path.parent)
    began = time.perf_counter()
    result = drive(engine, plan)
    result["seconds"] = time.perf_counter() - began
    if "probe" in plan:
        result["probe"] = import_module(plan["probe"]).seen()
    path.with_name("result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
