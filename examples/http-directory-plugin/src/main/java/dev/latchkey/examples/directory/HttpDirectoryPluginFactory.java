package dev.latchkey.examples.directory;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;

/** Makes as many directories as configuration names, each with its own settings, circuit and connections. */
public final class HttpDirectoryPluginFactory implements AuthPluginFactory {

    /** For {@link java.util.ServiceLoader}. */
    public HttpDirectoryPluginFactory() {}

    @Override
    public String type() {
        return "http-directory";
    }

    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        return new HttpDirectoryPlugin(name, DirectorySettings.of(config));
    }
}
