/**
 * What an owner is told, where, and whether it arrived. How it gets there is a channel's matter.
 */
@NullMarked
package dev.fallow.core.notice;

import org.jspecify.annotations.NullMarked;
