package dev.fallow.core.notice;

/** One line of evidence in a message: {@code idle since}, {@code 09:10}. */
public record Fact(String name, String value) {}
