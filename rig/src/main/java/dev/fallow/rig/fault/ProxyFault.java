package dev.fallow.rig.fault;

import java.time.Duration;

/** One way in which a request can go wrong between a client and its server. */
public sealed interface ProxyFault {
  /** Whether it can hit a connection before a request is made. */
  default boolean isOfConnections() {
    return this instanceof Refuse || this instanceof BlackHole;
  }

  /**
   * The connection is reset before anything is said, open connections too. (A client sees a reset
   * instead of a refusal: nobody could count what a closed port turns away.)
   */
  record Refuse() implements ProxyFault {}

  /** Everything is swallowed, in both directions, until the fault is healed; then it is reset. */
  record BlackHole() implements ProxyFault {}

  /**
   * The request reaches the server late; longer than the client is willing to wait, and it arrives
   * after the client has given it up.
   */
  record Delay(Duration by) implements ProxyFault {}

  /** The server never hears of the request and this is the answer. */
  record Answer(int status) implements ProxyFault {}

  /** The server does what it is asked and answers, and the connection is reset instead. */
  record LoseReply() implements ProxyFault {}

  /** The head and some bytes of the answer arrive, then the connection is reset. */
  record ResetMidBody(int afterBytes) implements ProxyFault {}

  /** An answer in good form whose body ends too early. */
  record Truncate(int afterBytes) implements ProxyFault {}

  /** An answer in good form whose body is noise: the same for the same seed. */
  record Garbage(long seed, int bytes) implements ProxyFault {}
}
