package dev.latchkey.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;

/** The modules that each module may see, as ARCHITECTURE.md draws them. */
final class Arrows {

    static final String API = "dev.latchkey.auth";
    /** In the same module as the API, for stores of sessions and revocations. */
    static final String STORE = "dev.latchkey.auth.store";

    /** In the same module as the API, for plugins in jars. */
    static final String FACTORY = "dev.latchkey.auth.factory";
    /** In the same module as the API, for permission sources and their callers. */
    static final String PERMISSION = "dev.latchkey.auth.permission";

    static final String JWT = "dev.latchkey.auth.jwt";
    static final String PASSWORD = "dev.latchkey.auth.password";
    static final String CACHE = "dev.latchkey.auth.cache";
    static final String GUARD = "dev.latchkey.auth.guard";
    static final String THROTTLE = "dev.latchkey.throttle";
    static final String THROTTLE_STARTER = "dev.latchkey.throttle.spring";
    static final String JDBC = "dev.latchkey.auth.jdbc";
    /** A module of its own, also for plugins. */
    static final String CALLS = JDBC + ".calls";

    static final String ENGINE = "dev.latchkey.auth.engine";
    /** Of the same module as the API, for both sides of a login. */
    static final String JSON = "dev.latchkey.auth.json";

    static final String REDIS = "dev.latchkey.auth.redis";
    static final String CLIENT = "dev.latchkey.auth.client";
    static final String STARTER = "dev.latchkey.auth.spring";
    static final String CONTRACTS = "dev.latchkey.auth.contract";
    static final String TEST_SUPPORT = "dev.latchkey.auth.test";
    static final String CODES = "dev.latchkey.plugins.codes";
    static final String API_KEYS = "dev.latchkey.plugins.apikeys";
    static final String PASSKEYS = "dev.latchkey.plugins.passkeys";
    static final String LDAP = "dev.latchkey.plugins.ldap";
    static final String EXAMPLE_PLUGIN = "dev.latchkey.examples.apikey";

    static final ArchRule API_STANDS_ON_THE_JDK = onlySees(API, "the SPI forces no dependency on anybody");

    static final ArchRule STORES_STAND_ON_THE_JDK = onlySees(
            STORE,
            "a store elsewhere needs the values of the SPI, and a request's time is a part of its CurrentLogin",
            API,
            ENGINE);

    static final ArchRule JWT_STANDS_ON_THE_JDK =
            onlySees(JWT, "a token library without dependencies has no dependency's advisories", API, ENGINE, STORE);

    static final ArchRule PASSWORD_SEES_ITS_PORT_ONLY = onlySees(
            PASSWORD,
            "the port is PasswordEncoder, the algorithms are Bouncy Castle's",
            API,
            "org.springframework.security.crypto..",
            "org.springframework.security.core.userdetails",
            "org.bouncycastle..",
            "org.slf4j");

    static final ArchRule CACHE_SEES_ITS_PORT_ONLY = onlySees(
            CACHE,
            "it decorates a PasswordEncoder and keeps its entries in Caffeine",
            API,
            "org.springframework.security.crypto..",
            "com.github.benmanes.caffeine.cache..");

    static final ArchRule GUARD_SEES_BUCKETS_ONLY = onlySees(
            GUARD,
            "its token buckets are Bucket4j's",
            API,
            PERMISSION,
            ENGINE,
            "io.github.bucket4j..",
            "com.github.benmanes.caffeine.cache..",
            "org.slf4j");

    static final ArchRule THROTTLE_SEES_BUCKETS_AND_SOURCES = classes()
            .that()
            .resideInAPackage(THROTTLE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify.annotations",
                    THROTTLE,
                    API,
                    GUARD,
                    GUARD + ".bucket",
                    GUARD + ".source",
                    GUARD + ".internal",
                    "io.github.bucket4j..",
                    "com.github.benmanes.caffeine.cache..",
                    "org.slf4j")
            .because("a throttle is no authentication: it counts by buckets and client IPs, and knows no login");

    static final ArchRule THROTTLE_STARTER_SEES_NO_AUTHENTICATION = onlySees(
            THROTTLE_STARTER,
            "a service may throttle its endpoints without a login of ours",
            API,
            ENGINE,
            STORE,
            THROTTLE,
            GUARD,
            GUARD + ".bucket",
            GUARD + ".source",
            REDIS,
            "org.springframework..",
            "jakarta.servlet..",
            "reactor.core..",
            "reactor.netty.http.server",
            "io.netty.handler.codec.http",
            "org.reactivestreams",
            "io.micrometer..",
            "org.slf4j");

    static final ArchRule AUTH_SEES_NO_THROTTLE = noClasses()
            .that()
            .resideOutsideOfPackage(THROTTLE + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(THROTTLE + "..")
            .because("logins work without throttles");

    static final ArchRule JDBC_SEES_THE_DATABASE_ONLY = onlySees(
            JDBC,
            "it keeps rows in a database that the service has",
            API,
            STORE,
            "org.springframework.jdbc..",
            "org.springframework.dao..",
            "org.springframework.transaction..");

    static final ArchRule CALLS_SEE_NO_STORE = onlySees(
            CALLS,
            "plugins use it without revocations and logins, whose tables auth-jdbc would ask for",
            API,
            "org.springframework.jdbc..",
            "org.springframework.dao..",
            "org.springframework.transaction..");

    static final ArchRule REDIS_SEES_REDIS_ONLY = onlySees(
            REDIS,
            "it keeps keys in a Redis that the service has, whatever the driver",
            API,
            ENGINE,
            STORE,
            GUARD + ".bucket",
            "org.springframework.data.redis..",
            // How Lettuce reads the answer of a command and sends many commands at once, and how the stores' own client
            // connects; loaded with Lettuce alone.
            "io.lettuce.core",
            "io.lettuce.core.cluster",
            "io.lettuce.core.cluster.api.async",
            "io.lettuce.core.codec",
            "io.lettuce.core.output",
            "org.springframework.dao..");

    static final ArchRule CLIENT_SEES_HTTP_CLIENTS_ONLY = onlySees(
            CLIENT,
            "a caller needs nothing of what a server is made of",
            API,
            JSON,
            "org.springframework.http..",
            "org.springframework.web.client",
            "org.springframework.web.reactive.function..",
            "org.springframework.core.io.buffer",
            "org.reactivestreams",
            "reactor.core..",
            "reactor.util.context");

    static final ArchRule EXAMPLE_PLUGIN_SEES_THE_API_ONLY =
            onlySees(EXAMPLE_PLUGIN, "it proves that the SPI suffices from outside", API, FACTORY);

    static final ArchRule CODES_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH = onlySees(
            CODES,
            "a plugin of ours needs no more of us than a third party's, and the one way to a database",
            API,
            FACTORY,
            ENGINE,
            STORE,
            JSON,
            CALLS,
            "com.eatthepath.otp",
            "io.nayuki.qrcodegen",
            "org.springframework..",
            "jakarta.servlet..",
            "reactor.core..",
            "reactor.util.context");

    static final ArchRule API_KEYS_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH = onlySees(
            API_KEYS,
            "a plugin of ours needs no more of us than a third party's, and the one way to a database",
            API,
            FACTORY,
            ENGINE,
            JSON,
            STORE,
            CALLS,
            "com.github.benmanes.caffeine.cache..",
            "org.slf4j",
            "org.springframework..",
            "jakarta.servlet..",
            "reactor.core..",
            "reactor.util.context");

    static final ArchRule PASSKEYS_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH = onlySees(
            PASSKEYS,
            "a plugin of ours needs no more of us than a third party's, and the one way to a database",
            API,
            FACTORY,
            ENGINE,
            STORE,
            JSON,
            CALLS,
            "com.webauthn4j..",
            "org.springframework..",
            "jakarta.servlet..",
            "reactor.core..",
            "reactor.util.context");

    static final ArchRule LDAP_SEES_THE_API_AND_ITS_PROTOCOL = onlySees(
            LDAP,
            "a plugin of ours needs no more of us than a third party's",
            API,
            FACTORY,
            "com.unboundid..",
            "org.slf4j");

    static final ArchRule TEST_SUPPORT_SEES_WHAT_A_TEST_OF_A_SERVICE_DOES = onlySees(
            TEST_SUPPORT,
            "it stands beside the starter, and knows of its parts no more than it replaces or empties",
            API,
            STORE,
            JWT,
            CACHE,
            GUARD + "..",
            STARTER + "..",
            "org.springframework..",
            "org.assertj.core..",
            "jakarta.servlet..",
            "reactor.core..");

    static final ArchRule SPRING_STAYS_IN_THE_STARTER = noClasses()
            .that()
            .resideOutsideOfPackages(
                    STARTER + "..",
                    THROTTLE_STARTER + "..",
                    TEST_SUPPORT + "..",
                    CODES + ".spring",
                    API_KEYS + ".spring",
                    PASSKEYS + ".spring",
                    CLIENT + ".spring",
                    CLIENT + ".webflux")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot..",
                    "org.springframework.context..",
                    "org.springframework.beans..",
                    "org.springframework.web..",
                    "org.springframework.core..",
                    "jakarta.servlet..")
            .because("what is written for Spring is glue; the work is done in modules that run without it");

    static final ArchRule NOBODY_SEES_THE_STARTER = noClasses()
            .that()
            .resideOutsideOfPackages(STARTER + "..", TEST_SUPPORT + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(STARTER + "..")
            .because("the starter is the end of the arrows; only what tests a service with it stands behind");

    private Arrows() {}

    /** A module sees the JDK, JSpecify's annotations, itself and the given packages, and no sibling. */
    private static ArchRule onlySees(String module, String reason, String... others) {
        // Other modules' packages stand within the API's.
        String packages = module.equals(API) ? API : module + "..";
        String[] allowed = new String[others.length + 4];
        allowed[0] = "java..";
        allowed[1] = "javax..";
        allowed[2] = "org.jspecify.annotations";
        allowed[3] = packages;
        System.arraycopy(others, 0, allowed, 4, others.length);
        return classes()
                .that()
                .resideInAPackage(packages)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .because(reason);
    }
}
