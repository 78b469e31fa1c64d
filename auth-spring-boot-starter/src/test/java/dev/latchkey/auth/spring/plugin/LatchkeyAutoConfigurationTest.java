package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** What is there under which condition, what backs off, and what a wrong configuration is told. */
@Tag("long")
class LatchkeyAutoConfigurationTest {

    private static final PasswordCredentials ALICE = new PasswordCredentials("alice", Secret.of(Services.PASSWORD));

    private final WebApplicationContextRunner service = Services.web().withUserConfiguration(Services.Accounts.class);

    @Test
    void switchedOff_nothingOfItIsThere() {
        service.withPropertyValues(
                        "latchkey.enabled=false", "latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("latchkey"));
                    assertThat(context.getBean(PasswordEncoder.class)).hasSameClassAs(new BCryptPasswordEncoder());
                });
    }

    @Test
    void everyPart_hasASwitch() {
        service.withPropertyValues("latchkey.cache.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(CredentialCache.class).hasSingleBean(HashingPermits.class);
            assertThat(TestLoginEncoders.before(context.getBean(PasswordEncoder.class)))
                    .hasValueSatisfying(login -> assertThat(login.isCached()).isFalse());
        });
        service.withPropertyValues("latchkey.guard.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(CredentialCache.class)
                        .doesNotHaveBean(HashingPermits.class)
                        .doesNotHaveBean(LoginLimits.class));
        service.withPropertyValues("latchkey.cache.enabled=false", "latchkey.guard.enabled=false")
                .run(context ->
                        assertThat(context.getBean(PasswordEncoder.class)).hasSameClassAs(new BCryptPasswordEncoder()));
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context ->
                        assertThat(context).hasSingleBean(JwtSigner.class).doesNotHaveBean("latchkeyLoginEndpoint"));
    }

    @Test
    void withoutAKey_thereAreNoTokens_andNoneIsMadeUp() {
        service.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HmacKey.class));
    }

    @Test
    void encoderDeclaredByItsClass_isBehindTheCache_andStaysOfItsClass() {
        service.run(context -> {
            assertThat(context).hasSingleBean(BCryptPasswordEncoder.class);
            assertIsCached(context.getBean(BCryptPasswordEncoder.class), context.getBean(CredentialCache.class));
        });
    }

    @Test
    void encoderDeclaredAsAnInterface_isReplacedByTheDecorator() {
        Services.web()
                .withBean("other", PasswordEncoder.class, () -> new BCryptPasswordEncoder(4))
                .run(context -> {
                    assertThat(context.getBean("other")).isInstanceOf(LoginEncoder.class);
                    assertIsCached(
                            context.getBean("other", PasswordEncoder.class), context.getBean(CredentialCache.class));
                });
    }

    @Test
    void otherMethodsOfAnEncoderDeclaredByItsClass_areThoseOfTheEncoder() {
        Services.web()
                .withBean("peppered", PepperedEncoder.class, PepperedEncoder::new)
                .run(context -> {
                    PepperedEncoder encoder = context.getBean(PepperedEncoder.class);
                    String stored = encoder.encode("right", "pepper");
                    assertThat(new BCryptPasswordEncoder().matches("rightpepper", stored))
                            .isTrue();
                    assertThat(encoder.matches("right", stored, "pepper")).isTrue();
                    assertThat(encoder.matches("right", stored, "another")).isFalse();
                    assertThat(encoder.matches("right", stored)).isFalse();
                    assertIsCached(encoder, context.getBean(CredentialCache.class));
                });
    }

    @Test
    void encoderThatCannotBeIntercepted_staysAsItIs() {
        Services.web()
                .withBean("sealed", FinalEncoder.class, FinalEncoder::new)
                .run(context -> assertThat(context.getBean("sealed")).isExactlyInstanceOf(FinalEncoder.class));
    }

    @Test
    void ownBeans_win() {
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .withBean("mine", HmacKey.class, () -> HmacKey.generate(HmacAlgorithm.HS512))
                .withBean("none", AuthChain.class, () -> AuthChain.of(List.of()))
                .run(context -> {
                    assertThat(context).hasSingleBean(HmacKey.class).hasSingleBean(AuthChain.class);
                    assertThat(context.getBean(AuthChain.class).pluginNames()).isEmpty();
                });
    }

    @Test
    void chain_asksTheBeansInOrder_orThoseThatAreNamed() {
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY).run(context -> {
            assertThat(context.getBean(AuthChain.class).pluginNames()).containsExactlyInAnyOrder("jwt", "users");
        });
        service.withPropertyValues("latchkey.plugins=users")
                .run(context -> assertThat(context.getBean(AuthChain.class).pluginNames())
                        .containsExactly("users"));
    }

    @Test
    void noPluginAtAll_refusesEverything() {
        service.withPropertyValues("latchkey.plugins=")
                .run(context -> assertThat(context.getBean(AuthChain.class).authenticate(ALICE))
                        .isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED)));
    }

    @Test
    void listeners_areTold() {
        List<AuthEvent> events = new ArrayList<>();
        service.withBean(AuthListener.class, () -> events::add).run(context -> {
            context.getBean(AuthChain.class).authenticate(ALICE);
            assertThat(events).singleElement().isInstanceOf(AuthEvent.Decided.class);
        });
    }

    @Test
    void unknownPlugin_isAStartUpErrorThatSaysWhatThereIs() {
        service.withPropertyValues("latchkey.plugins=users,ldap").run(context -> {
            PluginSelectionException failure = rootOf(context.getStartupFailure(), PluginSelectionException.class);
            assertThat(failure.mistakes())
                    .singleElement()
                    .asString()
                    .contains("No plugin is named 'ldap'; there are: users");
        });
    }

    @Test
    void loginWithoutAKey_isAStartUpErrorThatSaysWhatToWrite() {
        service.withPropertyValues("latchkey.login.enabled=true").run(context -> {
            FailureAnalysis analysis = analysisOf(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .isEqualTo("latchkey.login.enabled is true, and there is no key to sign tokens with");
            assertThat(analysis.getAction()).contains("latchkey.jwt.secret");
        });
    }

    @Test
    void badKey_isAStartUpErrorThatDoesNotShowIt(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("jwt.key"), "c2hvcnQtc2VjcmV0");
        for (String property : List.of(
                "latchkey.jwt.secret=c2hvcnQtc2VjcmV0",
                "latchkey.jwt.secret=no base64 at all!",
                "latchkey.jwt.secret=file:" + file,
                "latchkey.jwt.secret=file:" + folder.resolve("absent"))) {
            service.withPropertyValues(property).run(context -> {
                FailureAnalysis analysis = analysisOf(context.getStartupFailure());
                assertThat(analysis.getDescription())
                        .startsWith(property.substring(0, property.indexOf('=')) + ": ")
                        .doesNotContain("c2hvcnQ", "short-secret", "no base64 at all");
                assertThat(analysis.getAction()).contains("openssl rand -base64 32");
            });
        }
    }

    @Test
    void key_isReadFromAConfigTree(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("latchkey.jwt.secret"), Services.KEY + "\n");
        service.withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.import=configtree:" + folder + "/")
                .run(context -> assertThat(context.getBean(HmacKey.class).isSameKeyAs(HmacKey.ofBase64(Services.KEY)))
                        .isTrue());
    }

    @Test
    void leakedKey_isRefused() {
        service.withPropertyValues("latchkey.jwt.secret=VGhpc0lzTXlDdXN0b21TZWNyZXRLZXkwMTIzNDU2Nzg=")
                .run(context -> assertThat(
                                analysisOf(context.getStartupFailure()).getDescription())
                        .contains("Nacos"));
    }

    @Test
    void properties_doNotPrintTheKey() {
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> assertThat(context.getBean(LatchkeyProperties.class))
                        .asString()
                        .doesNotContain(Services.KEY));
    }

    @Test
    void revocations_areRememberedInMemoryUnlessThereIsAStore() {
        service.run(context -> assertThat(context).hasSingleBean(RevocationStore.class));
        RevocationStore own = new InMemoryRevocationStore(Duration.ofHours(1));
        service.withBean(RevocationStore.class, () -> own)
                .run(context ->
                        assertThat(context).getBean(RevocationStore.class).isSameAs(own));
    }

    private static void assertIsCached(PasswordEncoder encoder, CredentialCache cache) {
        String stored = new BCryptPasswordEncoder(4).encode(Services.PASSWORD);
        long hits = cache.stats().hits();
        assertThat(encoder.matches(Services.PASSWORD, stored)).isTrue();
        assertThat(encoder.matches(Services.PASSWORD, stored)).isTrue();
        assertThat(encoder.matches("wrong", stored)).isFalse();
        assertThat(encoder.upgradeEncoding(stored)).isFalse();
        assertThat(cache.stats().hits()).isEqualTo(hits + 1);
    }

    private static FailureAnalysis analysisOf(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, needsMore) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static <T extends Throwable> T rootOf(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        throw new AssertionError("No " + type.getSimpleName() + " in the failure", failure);
    }

    /** Has methods of the same names as the interface. */
    static class PepperedEncoder implements PasswordEncoder {

        private final PasswordEncoder bcrypt = new BCryptPasswordEncoder(4);

        @Override
        public String encode(CharSequence raw) {
            return bcrypt.encode(raw);
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return bcrypt.matches(raw, stored);
        }

        public String encode(CharSequence raw, String pepper) {
            return bcrypt.encode(raw + pepper);
        }

        public boolean matches(CharSequence raw, String stored, String pepper) {
            return bcrypt.matches(raw + pepper, stored);
        }
    }

    private static final class FinalEncoder implements PasswordEncoder {

        @Override
        public String encode(CharSequence raw) {
            return raw.toString();
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return stored.contentEquals(raw);
        }
    }
}
