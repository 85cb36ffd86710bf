package dev.fallow.adapters.casefolder;

import java.util.Optional;

/** What a case expects of one workload; an absent field is not compared. */
public record Expectation(
    String workload, Optional<String> verdict, Optional<String> reason, Optional<String> action) {}
