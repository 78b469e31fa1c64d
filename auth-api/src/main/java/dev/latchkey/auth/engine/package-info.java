/**
 * The engine. {@link dev.latchkey.auth.engine.AuthChain} runs each login through a single pipeline, {@link
 * dev.latchkey.auth.engine.PluginDirectory} finds and orders plugins by name. For services and frameworks; plugins do not use
 * this package.
 */
@NullMarked
package dev.latchkey.auth.engine;

import org.jspecify.annotations.NullMarked;
