package dev.fallow.systemtests.campaign;

/** A time in which the evidence was not to be trusted, and why: nothing may be paused on it. */
public record Darkness(Span span, String why) {}
