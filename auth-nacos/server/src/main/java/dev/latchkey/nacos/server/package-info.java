/** Starts a Nacos server from its modules. The modules have no main class. */
@NullMarked
package dev.latchkey.nacos.server;

import org.jspecify.annotations.NullMarked;
