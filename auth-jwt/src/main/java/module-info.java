/** HMAC JSON Web Tokens on the JDK alone. */
module dev.latchkey.auth.jwt {
    requires transitive dev.latchkey.auth;
    requires static transitive org.jspecify;

    exports dev.latchkey.auth.jwt;
}
