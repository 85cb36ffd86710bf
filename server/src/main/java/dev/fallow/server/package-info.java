/**
 * What Fallow answers over HTTP, on the JDK's own server. {@link dev.fallow.server.HttpFront} and
 * its neighbours here keep the wire; what is answered is pure: a {@link dev.fallow.server.Handler}
 * makes a {@link dev.fallow.server.Reply} of a {@link dev.fallow.server.Request}, and knows of no
 * socket.
 */
package dev.fallow.server;
