package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

/** Typing errors under {@code latchkey.*}: from which sources, and what is none. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
@Tag("long")
class UnknownKeysTest {

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withConfiguration(AutoConfigurations.of(LatchkeyMistakesAutoConfiguration.class))
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    @ParameterizedTest
    @CsvSource({
        "latchkey.login.enable, latchkey.login.enabled",
        "latchkey.gaurd.max-wait, latchkey.guard.max-wait",
        "latchkey.jwt.lifetme, latchkey.jwt.lifetime",
        "latchkey.jwt.secre, latchkey.jwt.secret",
        "latchkey.guard.trusted-proxy[0], latchkey.guard.trusted-proxies",
        "latchkey.health.required-plugin, latchkey.health.required-plugins",
        "latchkey.redis.time, latchkey.redis.timeout",
        "latchkey.login.clients.shop.web.secret, latchkey.login.clients[shop.web].secret",
        "latchkey.login.clients.shop.secrets, latchkey.login.clients.shop.secret",
        "latchkey.trusted-issuers.kc.audiences, latchkey.trusted-issuers.kc.audience",
        "latchkey.guard.limits.source.tokens, latchkey.guard.limits.source[0].tokens",
        "latchkey.guard.limits.source.0.tokens, latchkey.guard.limits.source[0].tokens",
        "latchkey.guard.limits.source[0].token, latchkey.guard.limits.source[0].tokens",
        "latchkey.guard.trusted-proxies.x, latchkey.guard.trusted-proxies[0]",
        "latchkey.guard.trusted-proxies[0].x, latchkey.guard.trusted-proxies[0]",
        "latchkey.plugins.users, latchkey.plugins[0]"
    })
    void unknownKey_stopsTheStart_andTheNearestIsNamed(String key, String nearest) {
        service.withPropertyValues(key + "=1").run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(LatchkeyConfigurationException.class)
                    .hasMessage(key + " is set, and Latchkey has no such property; the nearest is " + nearest);
        });
    }

    /** A condition reads the text of a switch, and a properties class its meaning. Both must read the same. */
    @ParameterizedTest
    @CsvSource({
        "latchkey.enabled, off",
        "latchkey.login.enabled, 'false '",
        "latchkey.login.enabled, no",
        "latchkey.guard.enabled, 0",
        "latchkey.permissions.features, ''"
    })
    void switchThatIsNeitherTrueNorFalse_stopsTheStart(String key, String value) {
        service.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource("switches", Map.of(key, value))))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessage(key + " is '" + value + "', and must be true or false"));
    }

    @Test
    void switchInCapitals_orAsABoolean_isRead() {
        service.withPropertyValues("latchkey.cache.enabled=FALSE")
                .run(context -> assertThat(context).doesNotHaveBean(CredentialCache.class));
        service.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource("switches", Map.of("latchkey.cache.enabled", false))))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CredentialCache.class));
    }

    /** In YAML, a section with all lines commented out is a key without a value. Boot cannot bind such a key to a section. */
    @ParameterizedTest
    @ValueSource(strings = {"latchkey.guard", "latchkey.guard.limits", "latchkey.redis"})
    void emptySection_stopsTheStart_andIsNoTypingError(String section) {
        service.withPropertyValues(section + "=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessage(section
                                + " is set, and is a section of properties: in YAML, a section needs a line below"));
    }

    @Test
    void keyOfAModuleThatIsMissing_isNearNothing() {
        service.withPropertyValues("latchkey.throttle.api.source.tokens=1").run(context -> {
            assertThat(context.getStartupFailure())
                    .hasMessage(
                            "latchkey.throttle.api.source.tokens is set, and Latchkey has no such property on the class path");
            assertThat(((LatchkeyConfigurationException) context.getStartupFailure()).action())
                    .startsWith("Take the key out. A module's keys are known");
        });
    }

    @Test
    void nameWithADot_isWrittenInBrackets() {
        service.withPropertyValues("latchkey.login.clients.shop.web.secret=1")
                .run(context -> assertThat(((LatchkeyConfigurationException) context.getStartupFailure()).action())
                        .startsWith("Write latchkey.login.clients[shop.web].secret, ")
                        .contains("In YAML a name with a dot has brackets and quotes, as in \"[a.b]\""));
        service.withPropertyValues("latchkey.login.enable=1")
                .run(context -> assertThat(((LatchkeyConfigurationException) context.getStartupFailure()).action())
                        .doesNotContain("YAML"));
    }

    @Test
    void keyOfAModuleThatIsNotThere_isNamed() {
        service.withPropertyValues("latchkey.plugins=users", "latchkey.passkeys.origin=https://a.example")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("latchkey.passkeys.origin is set, and Latchkey has no such property"));
    }

    @Test
    void valueOfAnUnknownKey_isNotTold() {
        service.withPropertyValues("latchkey.jwt.secrets=c2VjcmV0")
                .run(context -> assertThat(context.getStartupFailure()).hasMessageNotContaining("c2VjcmV0"));
    }

    @Test
    void allTypingErrors_areToldAtOnce() {
        service.withPropertyValues("latchkey.login.enable=true", "latchkey.jwt.lifetme=1h")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContainingAll("latchkey.login.enable is", "latchkey.jwt.lifetme is"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latchkey.jwt.lifetime=2h",
                "latchkey.jwt.lifeTime=2h",
                "latchkey.JWT.life_time=2h",
                "latchkey.guard.trusted-proxies[0]=10.0.0.0/8",
                "latchkey.guard.trusted-proxies=10.0.0.0/8",
                "latchkey.plugins[0]=users",
                "latchkey.plugin.users.max-concurrent=3",
                "latchkey.enabled=true"
            })
    void knownKey_inEachSpelling_isNone(String property) {
        service.withPropertyValues(property).run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "LATCHKEY_LOGIN_ENABLE, latchkey.login.enabled",
        "LATCHKEY_JWT_SECRETS, latchkey.jwt.secret",
        "latchkey_jwt_lifetme, latchkey.jwt.lifetime"
    })
    void variableCloseToAKnownKey_stopsTheStart(String variable, String nearest) {
        withVariable(variable, "1")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessage(
                                variable + " is set, and Latchkey has no such property; the nearest is " + nearest));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LATCHKEY_JWT_LIFETIME",
                "LATCHKEY_CACHE_MAXIMUM_SIZE",
                "LATCHKEY_CACHE_MAXIMUMSIZE",
                "LATCHKEY_GUARD_TRUSTEDPROXIES_0",
                "LATCHKEY_PLUGIN_APIKEY_KEYFILE",
                "PATH"
            })
    void variableOfAKnownKey_isNone(String variable, CapturedOutput log) {
        withVariable(variable, variable.contains("PROXIES") ? "10.0.0.0/8" : variable.contains("LIFE") ? "3h" : "3")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain("names no property of Latchkey");
    }

    /**
     * Kubernetes makes these variables for each service, and the start of a pod must not depend on names of other
     * services.
     */
    @ParameterizedTest
    @ValueSource(strings = {"LATCHKEY_SERVICE_HOST", "LATCHKEY_PORT", "LATCHKEY_PORT_8080_TCP_ADDR", "LATCHKEY_HOME"})
    void variableFarFromAllKeys_isAWarning(String variable, CapturedOutput log) {
        withVariable(variable, "10.0.0.7").run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("The environment variable " + variable + " names no property of Latchkey");
    }

    @Test
    void keyOfAPartThatIsNotThere_isAWarning(CapturedOutput log) {
        service.withPropertyValues("latchkey.redis.timeout=2s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).contains("latchkey.redis.timeout is set, and nothing reads latchkey.redis.*");
    }

    /** Boot names a bean of properties so. A class with the annotation would put metadata of these tests before that of the starter. */
    @Test
    void keyOfTheServicesOwnProperties_isNone() {
        service.withBean("latchkey.directory-com.example.DirectoryProperties", Object.class, Object::new)
                .withPropertyValues("latchkey.directory.address=ldap://localhost")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void unknownKey_isNoMatter_whereLatchkeyIsSwitchedOff() {
        service.withPropertyValues("latchkey.enabled=false", "latchkey.login.enable=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void jarThatLostTheMetadata_starts() {
        service.withClassLoader(new FilteredClassLoader(new ClassPathResource(KnownKeys.METADATA)))
                .withPropertyValues("latchkey.login.enable=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private WebApplicationContextRunner withVariable(String name, String value) {
        return service.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addLast(new SystemEnvironmentPropertySource("variables", Map.of(name, value))));
    }
}
