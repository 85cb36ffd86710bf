/**
 * A real Kubernetes control plane, Prometheus and PostgreSQL as child processes of a test: no
 * containers, no mocks, no network beyond the loopback interface.
 *
 * <p>{@link dev.fallow.rig.Rig} is the place to start. The package needs nothing but the JDK, so
 * that what a test observes does not depend on the client library it tests.
 */
@NullMarked
package dev.fallow.rig;

import org.jspecify.annotations.NullMarked;
