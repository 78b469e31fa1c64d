/** The SPI for login and token validation, and the chain of plugins. */
module dev.latchkey.auth {
    requires static transitive org.jspecify;

    exports dev.latchkey.auth;
    exports dev.latchkey.auth.engine;
    exports dev.latchkey.auth.factory;
    exports dev.latchkey.auth.json;
    exports dev.latchkey.auth.permission;
    exports dev.latchkey.auth.store;

    uses dev.latchkey.auth.factory.AuthPluginFactory;
}
