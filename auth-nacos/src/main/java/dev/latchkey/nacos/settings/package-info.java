/** The plugin's settings in the server's configuration, and their reader. */
@NullMarked
package dev.latchkey.nacos.settings;

import org.jspecify.annotations.NullMarked;
