/**
 * Tells owners: Slack, Teams, mail and webhooks of one's own. Nothing here throws what the network
 * does, and no text that leaves here holds a secret.
 */
@NullMarked
package dev.fallow.adapters.notify;

import org.jspecify.annotations.NullMarked;
