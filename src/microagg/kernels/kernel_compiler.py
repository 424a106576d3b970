"""Compiler of kernels: numba's own, without the steps that plain loops over arrays do not need."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar

from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.typed_passes import AnnotateTypes
from numba.core.types import Dispatcher, none
from numba.core.types.containers import BaseTuple
from numba.core.types.functions import BoundFunction
from numba.core.types.misc import EllipsisType, SliceType
from numba.core.types.npytypes import Array
from numba.core.types.scalars import Integer
from numba.core.typing import Context

_UNNEEDED_PASSES = frozenset({"InlineClosureLikes", "DeadBranchPrune", "NopythonRewrites"})
"""Passes for closures and comprehensions, branches on types, and array expressions: kernels have none of these.

Only kernels of an argument that may be None branch on types: see `jit.optional_kernel`.
"""


class _KernelFlags(Flags):  # type: ignore[misc]
    """Compiler flags of a kernel; all kernels have the same, as far as the functions that they call can tell.

    numba keeps what it has compiled by the flags of the caller, which differ in wrappers that are of no concern there:
    it would compile the same function again for each kind of caller, and compare flags a hundred thousand times.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(_KernelFlags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _KernelFlags)


@register_pass(mutates_CFG=False, analysis_only=True)
class _DropReferenceCounts(LoweringPass):  # type: ignore[misc]
    """Pass that leaves out the counting of references where a kernel neither makes nor returns an array.

    The arrays that such a kernel is passed belong to its caller for as long as it runs. To count references to them
    is in vain, and for tuples of many arrays a third of the code. Other objects that Python passes, such as random
    generators, are held by numba itself, and let go by counting only.
    """

    _name = "drop_reference_counts"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Choose whether references are counted; return that the function itself is unchanged."""
        if not _holds_objects(state) and not _owns_arrays(state):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


def _holds_objects(state: Any) -> bool:
    """Return whether Python passes objects to the function that are not arrays, or tuples of arrays."""
    models = state.targetctx.data_model_manager
    return not state.flags.no_cpython_wrapper and any(
        models[part].contains_nrt_meminfo() and not isinstance(part, Array)
        for argument in state.args
        for part in _parts(argument)
    )


def _parts(kind: Any) -> Iterator[Any]:
    """Generate the types of the parts of a tuple, of tuples in it, and so on; of anything else, the type itself."""
    if isinstance(kind, BaseTuple):
        for part in kind:
            yield from _parts(part)
    else:
        yield kind


def _owns_arrays(state: Any) -> bool:
    """Return whether a function makes or returns an array, or may do so."""
    models = state.targetctx.data_model_manager
    if models[state.return_type].contains_nrt_meminfo():
        return True
    return any(
        models[_made(step, signature)].contains_nrt_meminfo()
        for step, signature in state.calltypes.items()
        if signature is not None
    )


def _made(step: Any, signature: Any) -> Any:
    """Return the type of what a step of a function makes: nothing, if it only looks at a part of an array or tuple."""
    if isinstance(step, ir.SetItem | ir.StaticSetItem):
        return signature.args[-1]  # an array that is assigned to a part of another is copied first: they may overlap
    if getattr(step, "op", None) in {"getitem", "static_getitem"} and _is_view_index(signature.args[1]):
        return none
    return signature.return_type


def _is_view_index(index: Any) -> bool:
    """Return whether an index gives a view of an array, and no copy."""
    return all(isinstance(part, Integer | SliceType | EllipsisType) for part in _parts(index))


class _KernelTyping(Context):  # type: ignore[misc]
    """Typing context that remembers how calls of numba's own functions, such as operators, are resolved.

    numba tries a dozen templates for each operator of a kernel, and again each time that it goes over the kernel.
    """

    _resolved: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Context) -> None:
        self.__dict__ = context.__dict__  # the same context, in all but what is below

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        if kws or isinstance(func, Dispatcher | BoundFunction):
            return super().resolve_function_type(func, args, kws)
        try:
            return self._resolved[func, tuple(args)]
        except (KeyError, TypeError):  # not known, or a constant slice, which cannot be a key
            signature = super().resolve_function_type(func, args, kws)
        with suppress(TypeError):
            if signature is not None:
                self._resolved[func, tuple(args)] = signature
        return signature


@cache
def _kernel_typing(context: Context) -> _KernelTyping:
    """Return the one typing context of kernels for a context of numba."""
    return _KernelTyping(context)


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Compiler of kernels that Python calls."""

    def __init__(self, *arguments: Any) -> None:
        context, *others, flags, local_types = arguments
        super().__init__(_kernel_typing(context), *others, _KernelFlags(flags), local_types)

    def define_pipelines(self) -> list[PassManager]:
        """Return the pipeline."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [entry for entry in pipeline.passes if entry[0].__name__ not in _UNNEEDED_PASSES]
        pipeline.add_pass_after(_DropReferenceCounts, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]
