package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.TokenHeader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The configuration of a Nacos server in a service with the starter. */
class NacosAliasesTest {

    private static final String SECRET = "nacos.core.auth.plugin.nacos.token.secret.key=";

    private final WebApplicationContextRunner service = Services.web().withInitializer(new NacosAliases());

    @Test
    void keysOfNacos_standForLatchkeys() {
        service.withPropertyValues(
                        SECRET + Services.KEY,
                        "nacos.core.auth.plugin.nacos.token.expire.seconds=18000",
                        "nacos.core.auth.caching.enabled=false")
                .run(context -> {
                    assertThat(context).hasSingleBean(JwtSigner.class).doesNotHaveBean(CredentialCache.class);
                    assertThat(context.getBean(LatchkeyProperties.class).jwt().lifetime())
                            .isEqualTo(Duration.ofHours(5));
                    assertThat(context.getBean(HmacKey.class).isSameKeyAs(HmacKey.ofBase64(Services.KEY)))
                            .isTrue();
                });
    }

    @Test
    void keysOfItsFirstVersions_areKnownToo_andTheNewerNameWins() {
        service.withPropertyValues(
                        "nacos.core.auth.default.token.secret.key=c2hvcnQ=",
                        SECRET + Services.KEY,
                        "nacos.core.auth.default.token.expire.seconds=60")
                .run(context -> assertThat(
                                context.getBean(LatchkeyProperties.class).jwt().lifetime())
                        .isEqualTo(Duration.ofMinutes(1)));
    }

    @Test
    void emptyKeyOfNacos_standsForNothing() {
        service.withPropertyValues(
                        "nacos.core.auth.plugin.nacos.token.secret.key=",
                        "nacos.core.auth.default.token.secret.key=" + Services.KEY,
                        "nacos.core.auth.plugin.nacos.token.expire.seconds=",
                        "nacos.core.auth.caching.enabled=")
                .run(context -> {
                    assertThat(context).hasSingleBean(JwtSigner.class).hasSingleBean(CredentialCache.class);
                    assertThat(context.getEnvironment().containsProperty("latchkey.jwt.lifetime"))
                            .isFalse();
                    assertThat(context.getEnvironment().containsProperty("latchkey.cache.enabled"))
                            .isFalse();
                });
    }

    @Test
    void latchkeysOwn_win(@TempDir Path folder) throws Exception {
        service.withPropertyValues(
                        SECRET + "c2hvcnQ=",
                        "latchkey.jwt.secret=" + Services.KEY,
                        "nacos.core.auth.plugin.nacos.token.expire.seconds=18000",
                        "latchkey.jwt.lifetime=2m")
                .run(context -> assertThat(
                                context.getBean(LatchkeyProperties.class).jwt().lifetime())
                        .isEqualTo(Duration.ofMinutes(2)));
        Path file = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        service.withPropertyValues(SECRET + "c2hvcnQ=", "latchkey.jwt.secret=file:" + file)
                .run(context -> assertThat(context).hasSingleBean(JwtSigner.class));
    }

    @Test
    void leakedDefaultsOfNacos_areRefused() {
        service.withPropertyValues(SECRET + "SecretKey012345678901234567890123456789012345678901234567890123456789")
                .run(context -> assertThat(context).hasFailed());
        service.withPropertyValues(SECRET + "VGhpc0lzTXlDdXN0b21TZWNyZXRLZXkwMTIzNDU2Nzg=")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(LatchkeyConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("Nacos"));
    }

    @Test
    void serviceWithTheConfiguration_hasTheClients_unlessConfiguredOtherwise() {
        service.withPropertyValues(SECRET + Services.KEY).run(context -> {
            LatchkeyProperties properties = context.getBean(LatchkeyProperties.class);
            assertThat(properties.login().response()).isEqualTo(LatchkeyProperties.ResponseShape.NACOS);
            assertThat(TokenHeader.of(properties)).isEqualTo(TokenHeader.AUTHORIZATION_OR_NACOS);
        });
        service.withPropertyValues(SECRET + Services.KEY, "latchkey.login.response=oauth")
                .run(context -> assertThat(TokenHeader.of(context.getBean(LatchkeyProperties.class)))
                        .isEqualTo(TokenHeader.AUTHORIZATION));
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> assertThat(TokenHeader.of(context.getBean(LatchkeyProperties.class)))
                        .isEqualTo(TokenHeader.AUTHORIZATION));
    }

    @Test
    void nothingOfNacos_addsNothing() {
        service.run(context -> assertThat(context.getEnvironment().getPropertySources().stream())
                .noneMatch(source -> source.getName().contains("Nacos")));
    }

    @Test
    void initializer_isFoundByBoot() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(
                                ApplicationContextInitializer.class,
                                SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {})))
                .hasAtLeastOneElementOfType(NacosAliases.class);
    }
}
