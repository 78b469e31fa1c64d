/**
 * The engine. {@link dev.latchkey.auth.engine.AuthChain} runs each login through a single pipeline. {@link
 * dev.latchkey.auth.engine.PluginDirectory} finds plugins by name. For services and frameworks. A plugin uses this package for
 * its own endpoints, key files, digests, names and outage logs, and for nothing else.
 *
 * <p>The package has more than 30 files, because the chain, the pipeline and the selection of plugins share package-private parts.
 * In several packages these parts would be public, and a service could skip a stage of the login.
 */
@NullMarked
package dev.latchkey.auth.engine;

import org.jspecify.annotations.NullMarked;
