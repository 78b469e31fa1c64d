/** Starts a Nacos server from its modules, which bring no main class. */
@NullMarked
package dev.latchkey.nacos.server;

import org.jspecify.annotations.NullMarked;
