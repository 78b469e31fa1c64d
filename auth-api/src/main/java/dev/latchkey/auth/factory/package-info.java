/**
 * The SPI of plugins in jars: {@link dev.latchkey.auth.factory.AuthPluginFactory} makes a plugin from its described
 * settings. A plugin that is a bean of a service does not need this package.
 */
@NullMarked
package dev.latchkey.auth.factory;

import org.jspecify.annotations.NullMarked;
