package dev.fallow.core.prune;

/** Why an idle workload is left alone: a reason for machines and a sentence for people. */
public record Refusal(RefusalReason reason, String sentence) {}
