/** An issuer of OpenID Connect, at which people sign in. No text that leaves here holds a token. */
@NullMarked
package dev.fallow.adapters.oidc;

import org.jspecify.annotations.NullMarked;
