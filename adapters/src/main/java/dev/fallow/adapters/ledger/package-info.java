/**
 * The ledger in a real database: an SQLite file, or PostgreSQL where several replicas write. One
 * SQL dialect serves both.
 */
@NullMarked
package dev.fallow.adapters.ledger;

import org.jspecify.annotations.NullMarked;
