package dev.latchkey.examples.directory;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.List;

/** Makes each configured directory, with its own settings, circuit and connections. */
public final class HttpDirectoryPluginFactory implements AuthPluginFactory {

    /** For {@link java.util.ServiceLoader}. */
    public HttpDirectoryPluginFactory() {}

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public String type() {
        return "http-directory";
    }

    @Override
    public List<PluginSetting<?>> settings() {
        return DirectorySettings.ALL;
    }

    @Override
    public AuthPlugin create(PluginEnvironment environment) {
        return new HttpDirectoryPlugin(environment.name(), DirectorySettings.of(environment));
    }
}
