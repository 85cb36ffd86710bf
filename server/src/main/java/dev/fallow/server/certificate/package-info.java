/**
 * Certificates, made with nothing but the JDK: it can read and check them, and has no public way to
 * write one.
 */
package dev.fallow.server.certificate;
