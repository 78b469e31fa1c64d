/** A login source for API keys in a file. */
module dev.latchkey.examples.apikey {
    requires transitive dev.latchkey.auth;
    requires static org.jspecify;

    exports dev.latchkey.examples.apikey;

    provides dev.latchkey.auth.factory.AuthPluginFactory with
            dev.latchkey.examples.apikey.ApiKeyPluginFactory;
}
