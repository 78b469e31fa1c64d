/**
 * The engine: {@link dev.latchkey.auth.engine.AuthChain} takes each login through one pipeline, {@link dev.latchkey.auth.engine.PluginDirectory} finds and
 * orders plugins by name. For services and frameworks; a plugin does not see this package.
 */
@NullMarked
package dev.latchkey.auth.engine;

import org.jspecify.annotations.NullMarked;
