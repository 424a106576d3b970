"""Every trap of the first version that its review found has a test, wherever that is."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

TRAPS = {
    "repr prints the unprotected originals": [
        "model/test_release.py::test_no_representation_shows_an_original_value",
        "source/test_every_source.py::test_no_repr_shows_a_value",
        "test_estimator.py::test_repr_shows_no_record",
    ],
    "options are silently ignored where one column varies": [
        "methods/test_systems.py::test_auto_on_one_column_ignores_nothing",
        "test_solve.py::test_limits_that_are_ignored_are_named",
    ],
    "the default averages identifiers, weights, codes and targets": [
        "cli/test_main.py::test_nothing_is_averaged_on_a_guess",
        "doubt/test_doubts.py::test_survey_files",
        "test_traps.py::test_the_default_never_averages_ids_weights_or_codes",
    ],
    "a sentinel 999 is averaged": ["doubt/test_sentinel_rules.py::test_sentinels"],
    "k = 1 is accepted": [
        "test_protect.py::test_k_of_one_is_asked_about",
        "cli/test_commands.py::test_k_of_one_is_refused_unless_it_is_allowed",
    ],
    "tables, releases and pipelines do not pickle": [
        "model/test_release.py::test_every_noun_pickles",
        "contracts/test_method_contracts.py::test_pipelines_and_solutions_pickle",
        "contracts/test_stopping.py::test_stages_pickle",
    ],
    "an unpickled array is writable": ["model/test_arrays.py::test_arrays_stay_read_only_when_they_are_pickled"],
    "a time limit does not limit the constructor": ["test_solve.py::test_a_limit_that_is_over_at_once_is_a_limit"],
    "Ctrl-C during a constructor loses everything": [
        "cli/test_interruption.py::test_interrupted_constructor_writes_what_it_has",
        "construct/test_fixed_size.py::"
        "test_a_constructor_that_is_cancelled_keeps_its_groups_and_groups_the_rest_in_slabs",
    ],
    "labels do not match the rows of a shuffled release": [
        "model/test_release.py::test_labels_go_with_the_rows_of_a_shuffled_release"
    ],
    "importing takes long": ["test_import.py::test_importing_pulls_in_nothing_heavy"],
    "columns that look like numbers are released in clear": [
        "test_protect.py::test_column_that_looks_like_numbers_is_never_left_out_without_a_word",
        "source/test_number_like_text.py::test_number_like_text_is_mixed",
    ],
    "the first record of a file without a header becomes the header, in clear": [
        "cli/test_main.py::test_header_that_looks_like_a_record_is_asked_about"
    ],
    "Python integers beyond 2^53 are averaged as floats": ["test_encode.py::test_huge_python_integers_are_refused_too"],
    "numbers of three decimals are refused, whatever one says": [
        "test_protect.py::test_three_decimals_are_no_thousands_where_a_number_is_below_one",
        "cli/test_commands.py::test_options_of_reading_settle_doubts",
    ],
    "a permuted file is measured without a hint": [
        "measure/test_information_loss.py::test_records_in_another_order_are_noticed"
    ],
    "decimal comma against point is a change": ["test_verify.py::test_decimal_comma_and_point_are_the_same_number"],
    "an identifier beside the protected columns draws no warning": [
        "test_verify.py::test_an_identifier_beside_the_protected_columns_is_remarked",
        "test_protect.py::test_identifying_columns_are_told",
    ],
    "two numbers that differ are printed alike": [
        "test_verify.py::test_means_are_written_with_the_digits_that_tell_them_apart"
    ],
    "a closed pipe ends in a traceback": ["cli/test_main.py::test_reader_that_closes_the_pipe_is_no_error"],
    "a time limit makes proofs worse": [
        "test_solve.py::test_a_generous_time_limit_changes_nothing_where_a_bound_follows",
        "bound/test_column_generation.py::test_a_time_limit_that_is_not_reached_proves_no_less",
    ],
    "a mode or a category cannot be written": [
        "source/test_every_source.py::test_column_may_be_replaced_by_one_of_another_kind"
    ],
    "a release below k passes its own check": ["test_protect.py::test_k_reached_is_checked_at_its_edge"],
    "a gap of 1 % is called optimal": ["model/test_solution.py::test_optimal_is_a_gap_that_rounding_leaves"],
    "a mean that moved is called kept": ["test_verify.py::test_a_mean_may_move_by_rounding_only"],
    "integers that floats cannot hold are averaged": [
        "test_encode.py::test_integers_that_arithmetic_would_damage_are_refused"
    ],
    "unprotected columns of a text file come back as strings": [
        "source/test_delimited.py::test_native_dataframe_is_typed"
    ],
    "attributes of a frame are lost": ["source/test_frame.py::test_pandas_keeps_index_labels_and_attributes"],
    "a method of one's own is refused": ["test_solve.py::test_a_stage_of_ones_own_works_wherever_a_name_does"],
    "an existing output is replaced unasked": [
        "cli/test_output_files.py::test_existing_output_is_not_replaced_unasked"
    ],
    "standard input and output are refused": ["cli/test_output_files.py::test_standard_input_and_output"],
    "a file of one kind cannot become one of another": [
        "cli/test_commands.py::test_files_of_one_kind_become_files_of_another"
    ],
    "the report lacks what it takes to do it again": [
        "cli/test_output_files.py::test_report_names_the_output_and_its_checksum",
        "test_protect.py::test_what_was_done_is_a_plan_that_does_it_again",
    ],
    "a misspelt column gets no suggestion": ["model/test_table.py::test_names_are_checked"],
}


@pytest.mark.parametrize("trap", TRAPS)
def test_the_trap_has_its_tests(trap: str) -> None:
    for place in TRAPS[trap]:
        path, _, name = place.partition("::")
        text = (TESTS / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), place
