/** Revocations and sessions shared by several nodes, in a service's database. */
@NullMarked
package dev.latchkey.auth.jdbc;

import org.jspecify.annotations.NullMarked;
