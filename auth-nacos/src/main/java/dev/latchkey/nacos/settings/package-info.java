/** What the server's configuration says about the plugin, and how it is read. */
@NullMarked
package dev.latchkey.nacos.settings;

import org.jspecify.annotations.NullMarked;
