/**
 * Which plugins take part, and the plugins that the starter brings: for the service's users and for Spring's providers. It may
 * use {@code password} and what that uses. Start with {@code PluginSelection}.
 */
@NullMarked
package dev.latchkey.auth.spring.plugin;

import org.jspecify.annotations.NullMarked;
