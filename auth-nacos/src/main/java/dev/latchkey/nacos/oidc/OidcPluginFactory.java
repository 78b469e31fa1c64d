package dev.latchkey.nacos.oidc;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.util.List;

/** Makes sources for access tokens, one for each issuer. */
public final class OidcPluginFactory implements AuthPluginFactory {

    /** Creates the factory; nothing is read before {@link #create}. */
    public OidcPluginFactory() {}

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public String type() {
        return "oidc";
    }

    @Override
    public List<PluginSetting<?>> settings() {
        return OidcSettings.ALL;
    }

    /** {@inheritDoc} The issuer is asked for its keys at the first token, so an issuer that is down delays no start. */
    @Override
    public AuthPlugin create(PluginEnvironment environment) {
        return new OidcSource(environment.name(), OidcSettings.of(environment));
    }
}
