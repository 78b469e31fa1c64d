/**
 * The selection of plugins, and the starter's own plugins: for the service's users and for Spring's providers. May use {@code
 * password} and the packages below. Start with {@code PluginSelection}.
 */
@NullMarked
package dev.latchkey.auth.spring.plugin;

import org.jspecify.annotations.NullMarked;
