package dev.latchkey.nacos.oidc;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.PluginConfig;

/** Makes sources for access tokens, one for each issuer. */
public final class OidcPluginFactory implements AuthPluginFactory {

    /** Creates the factory; nothing is read before {@link #create}. */
    public OidcPluginFactory() {}

    @Override
    public String type() {
        return "oidc";
    }

    /** {@inheritDoc} The issuer is asked for its keys at the first token, so an issuer that is down delays no start. */
    @Override
    public AuthPlugin create(String name, PluginConfig config) {
        return new OidcSource(name, OidcSettings.of(config));
    }
}
