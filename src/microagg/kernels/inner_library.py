"""Compiler of inner kernels: their code is optimised once, as a part of the kernels that call them.

numba optimises every function and emits its machine code, and then does both again in each function that calls it. For
functions that are only called by others the first is in vain, and costs half of the time that LLVM takes.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import AnnotateTypes
from numba.core.types.misc import unliteral
from numba.core.untyped_passes import DeadBranchPrune, RewriteSemanticConstants

from microagg.kernels.kernel_compiler import KernelCompiler


class InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
    """Compiled versions of an inner kernel, one for each combination of argument types.

    A constant is an argument like any other; numba would compile a version of its own for each.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the version that a call needs, unless there is one."""
        positional = tuple(unliteral(argument) for argument in args)
        by_name = {name: unliteral(argument) for name, argument in kws.items()}
        return super().get_call_template(positional, by_name)


class _NoEnvironment:
    """Stub code generator: an inner kernel has no machine code of its own, so its environment is dropped."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: kernels use no Python objects."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of an inner kernel, linked with that of the kernels that it calls, and not optimised yet."""

    def finalize(self) -> None:
        """Link, and leave optimising and machine code to the kernel that calls this one."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if hasattr(library, "_reload_init"):  # not in numba 0.61
                self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    @property
    def codegen(self) -> _NoEnvironment:
        """Return what takes the environment of the function."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the null pointer: there is no machine code of this function alone."""
        self._ensure_finalized()
        return 0


@register_pass(mutates_CFG=False, analysis_only=True)
class _ChooseInnerLibrary(LoweringPass):  # type: ignore[misc]
    """Pass that has the code written into an inner library."""

    _name = "choose_inner_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Make the library; return that the function itself is unchanged."""
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _InlineAlways(LoweringPass):  # type: ignore[misc]
    """Pass that has every call of the function replaced by its body.

    As an option of the decorator, `forceinline` would hold for all that the function calls, too.
    """

    _name = "inline_always"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the flag that lowering looks at; return that the function itself is unchanged."""
        state.flags.forceinline = True
        return False


class InnerCompiler(KernelCompiler):
    """Compiler of kernels that only kernels call."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the pipeline."""
        (pipeline,) = super().define_pipelines()
        pipeline.add_pass_after(_ChooseInnerLibrary, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


class InlinedCompiler(InnerCompiler):
    """Compiler of kernels that are always inlined."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the pipeline."""
        (pipeline,) = super().define_pipelines()
        pipeline.add_pass_after(_InlineAlways, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


class OptionalCompiler(InlinedCompiler):
    """Compiler of kernels that are always inlined, and branch on whether an argument is None: one side is left out."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the pipeline."""
        (pipeline,) = super().define_pipelines()
        pipeline.add_pass_after(DeadBranchPrune, RewriteSemanticConstants)
        pipeline.finalize()
        return [pipeline]
