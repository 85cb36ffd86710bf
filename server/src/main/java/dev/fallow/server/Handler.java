package dev.fallow.server;

/** Answers a request; may throw {@link Rejected}. */
@FunctionalInterface
public interface Handler {

  Reply answer(Request request);
}
