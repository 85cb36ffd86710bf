package dev.fallow.core.notice;

/** A way to an owner. */
public interface Channel {

  /** Tries once, and within a bounded time. Nothing that goes wrong on the way is thrown. */
  Delivery deliver(Address to, Message message);
}
