"""The same updates with other objects: equal params and token lists elsewhere in memory, as on another rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import ReferenceType, ref

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, SamplingParams

from .loans import own_copy
from .token_lists import TokenList


class Mirror:
    """Keeps a copy of everything that is lent to the requests in the batch; what they share, their copies share."""

    def __init__(self) -> None:
        self._params: dict[int, SamplingParams] = {}
        self._lists: dict[int, TokenList] = {}
        self._originals: dict[int, ReferenceType[TokenList]] = {}

    def told(self, update: BatchUpdate | None, requests: Sequence[Request]) -> BatchUpdate | None:
        """The update with copies, and every list as long as its original. requests: those in the batch now.

        Lists of requests that leave too: who reads them by mistake reads the same in both instances.
        """
        self._catch_up()
        if update is not None:
            added = [
                (index, self._params_of(params), self._list_of(prompt), self._list_of(outputs))
                for index, params, prompt, outputs in update.added
            ]
            update = BatchUpdate(update.batch_size, update.removed, added, update.moved)
            self._forget_all_but(requests)
        return update

    def _catch_up(self) -> None:
        for place, copied in self._lists.items():
            original = self._originals[place]()
            if original is not None and copied != original:
                copied[:] = original

    def _params_of(self, params: SamplingParams) -> SamplingParams:
        if id(params) not in self._params:
            self._params[id(params)] = own_copy(params)
        return self._params[id(params)]

    def _list_of(self, tokens: Any) -> Any:
        if tokens is None:
            return None
        if id(tokens) not in self._lists:
            self._lists[id(tokens)] = TokenList(tokens)
            self._originals[id(tokens)] = ref(tokens)
        return self._lists[id(tokens)]

    def _forget_all_but(self, requests: Sequence[Request]) -> None:
        """Originals of the others may go, and their places in memory be used again."""
        params = {id(request.params) for request in requests}
        lists = {
            id(each) for request in requests for each in (request.prompt_token_ids, request.output_token_ids)
        }
        self._params = {place: each for place, each in self._params.items() if place in params}
        self._lists = {place: each for place, each in self._lists.items() if place in lists}
