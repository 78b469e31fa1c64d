package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.jdbc.JdbcRevocationStore;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin;
import dev.latchkey.auth.spring.shared.LatchkeyRevocationCopyAutoConfiguration;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** What is printed for each foreseeable mistake, found as Boot finds it: by the first analyser that knows the failure. */
@Tag("long")
class MistakesTest {

    private static final List<FailureAnalyzer> ANALYSERS = SpringFactoriesLoader.forDefaultResourceLocation()
            .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {}));
    private static final String MAKE_A_KEY = "Make one with: openssl rand -base64 32 > jwt.key; chmod 600 jwt.key";

    private static final String RIGHT_LIMIT =
            "Write for example latchkey.guard.limits.account-and-source[0].tokens=5 and "
                    + "latchkey.guard.limits.account-and-source[0].per=5m.";

    @TempDir
    Path folder;

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withConfiguration(AutoConfigurations.of(LatchkeyMistakesAutoConfiguration.class));

    @Test
    void noKey() {
        assertPrinted(
                "latchkey.login.enabled is true, and there is no key to sign tokens with",
                "Set latchkey.jwt.secret to file: and the path of a file that holds at least 32 random bytes in Base64, or define an HmacKey bean.",
                "latchkey.login.enabled=true");
    }

    /** The message has the property and the right value, so an action would only repeat it. */
    @Test
    void settingOfAPlugin_isPrinted_andNothingVague() {
        FailureAnalysis printed =
                analysisOf(new PluginConfigException("latchkey.plugin.hr.key-file: it must hold a key"));
        assertThat(printed.getDescription())
                .isEqualTo("A plugin cannot start: latchkey.plugin.hr.key-file: it must hold a key");
        assertThat(printed.getAction()).isNull();
    }

    @Test
    void listOfLogins_withoutRefreshTokens() {
        assertPrinted(
                "latchkey.login.logins.enabled is true, and latchkey.login.refresh.enabled is not true",
                "Set latchkey.login.refresh.enabled to true as well: of a login without a refresh token nothing is kept.",
                "latchkey.login.enabled=true",
                "latchkey.login.logins.enabled=true");
    }

    @Test
    void recordedAddresses_withoutRefreshTokens() {
        assertPrinted(
                "latchkey.login.logins.record-address is true, and latchkey.login.refresh.enabled is not true",
                "Set latchkey.login.refresh.enabled to true as well: of a login without a refresh token nothing is kept.",
                "latchkey.login.enabled=true",
                "latchkey.login.logins.record-address=true");
    }

    @Test
    void boundOnLogins_withoutRefreshTokens() {
        assertPrinted(
                "latchkey.login.max-per-account is set, and latchkey.login.refresh.enabled is not true",
                "Set latchkey.login.refresh.enabled to true as well: of a login without a refresh token nothing is kept.",
                "latchkey.login.enabled=true",
                "latchkey.login.max-per-account=5");
    }

    @Test
    void clientWithoutAGrant() {
        assertPrinted(
                "A client under latchkey.login.clients has an empty list of grants",
                "Name the grant types of the client, such as refresh_token. Without the property, the client may use all.",
                "latchkey.login.enabled=true",
                "latchkey.login.clients.shop.secret=0123456789abcdefghijkl",
                "latchkey.login.clients.shop.grants=");
    }

    @Test
    void whenFull_withoutABound() {
        assertPrinted(
                "latchkey.login.when-full is set, and latchkey.login.max-per-account is not",
                "Set latchkey.login.max-per-account too, to as many logins as an account may have.",
                "latchkey.login.enabled=true",
                "latchkey.login.refresh.enabled=true",
                "latchkey.login.when-full=refuse");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 41})
    void boundOnLogins_outOfRange(int most) {
        assertPrinted(
                "latchkey.login.max-per-account is " + most + ", and must be from 1 to 40",
                "Set latchkey.login.max-per-account to a value from 1 to 40, or leave it out.",
                "latchkey.login.enabled=true",
                "latchkey.login.refresh.enabled=true",
                "latchkey.login.max-per-account=" + most);
    }

    @Test
    void boundForEachKindOfDevice_withoutNamesForThem() {
        assertPrinted(
                "latchkey.login.when-full is end-oldest-of-device, and nothing says what a device is called",
                "Define a LoginDevices bean, or set latchkey.login.when-full to end-oldest.",
                "latchkey.jwt.secret=" + Services.KEY,
                "latchkey.login.enabled=true",
                "latchkey.login.refresh.enabled=true",
                "latchkey.login.max-per-account=2",
                "latchkey.login.when-full=end-oldest-of-device");
    }

    @Test
    void shortKey() {
        FailureAnalysis printed = printed("latchkey.jwt.secret=c2hvcnQtc2VjcmV0");
        assertThat(printed.getDescription()).startsWith("latchkey.jwt.secret: ").contains("at least 32");
        assertThat(printed.getAction()).isEqualTo(MAKE_A_KEY);
    }

    @Test
    void keyThatIsNotBase64() {
        FailureAnalysis printed = printed("latchkey.jwt.secret=not base64 at all!");
        assertThat(printed.getDescription())
                .startsWith("latchkey.jwt.secret: ")
                .contains("Base64")
                .doesNotContain("at all");
        assertThat(printed.getAction()).isEqualTo(MAKE_A_KEY);
    }

    @Test
    void leakedKey() {
        FailureAnalysis printed = printed("latchkey.jwt.secret=VGhpc0lzTXlDdXN0b21TZWNyZXRLZXkwMTIzNDU2Nzg=");
        assertThat(printed.getDescription())
                .startsWith("latchkey.jwt.secret: ")
                .contains("Nacos")
                .doesNotContain("VGhpc0lz");
        assertThat(printed.getAction()).isEqualTo(MAKE_A_KEY);
    }

    @Test
    void keyFileThatCannotBeRead() throws Exception {
        Path absent = folder.resolve("absent.key");
        FailureAnalysis printed = printed("latchkey.jwt.secret=file:" + absent);
        assertThat(printed.getDescription()).startsWith("latchkey.jwt.secret: ").contains(absent.toString());
        assertThat(printed.getAction()).isEqualTo(MAKE_A_KEY);
        Path directory = Files.createDirectory(folder.resolve("directory.key"));
        assertThat(printed("latchkey.jwt.secret=file:" + directory).getDescription())
                .startsWith("latchkey.jwt.secret: ");
    }

    @Test
    void keyThatIsEmpty() {
        assertPrinted(
                "latchkey.jwt.secret begins with file: and names no file",
                "Write file: before the path, as in latchkey.jwt.secret=file:/run/secrets/the.key",
                "latchkey.jwt.secret=file:");
        assertPrinted("latchkey.jwt.secret is empty: no key is set", MAKE_A_KEY, "latchkey.jwt.secret=");
        assertPrinted("latchkey.jwt.secret is empty: no key is set", MAKE_A_KEY, "latchkey.jwt.secret=  ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/run/secrets/jwt.key", "./jwt.key", "jwt.key", "C:\\keys\\jwt.key", "/run/secrets/jwt"})
    void keyThatLooksLikeAPath(String path) {
        FailureAnalysis printed = printed("latchkey.jwt.secret=" + path);
        assertThat(printed.getDescription())
                .matches(
                        "(?s)latchkey\\.jwt\\.secret (looks like a path, and is no key: |is the path of a file, and no secret).*")
                .doesNotContain(path);
        assertThat(printed.getAction())
                .startsWith("Write file: before the path, as in latchkey.jwt.secret=file:/run/secrets/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"account-and-source=10", "account-and-source[0].tokens=10"})
    void limitWithoutATime(String setting) {
        FailureAnalysis printed = printed("latchkey.guard.limits." + setting);
        assertThat(printed.getDescription())
                .startsWith("latchkey.guard.limits."
                        + setting.replaceFirst("(\\.tokens)?=.*", ": A limit needs tokens and per"));
        assertThat(printed.getAction()).isEqualTo(RIGHT_LIMIT);
    }

    @Test
    void limitOutOfRange_andLimitWithoutTokens() {
        String first = "latchkey.guard.limits.account-and-source[0].";
        String description = "latchkey.guard.limits.account-and-source[0]: A limit needs at least 1 token, got 0";
        assertPrinted(description, RIGHT_LIMIT, first + "tokens=0", first + "per=5m");
        assertPrinted(description, RIGHT_LIMIT, first + "per=5m");
    }

    /** Boot reads a number without a unit as milliseconds. */
    @ParameterizedTest
    @ValueSource(strings = {"source", "account", "account-and-source", "known-client"})
    void windowWithoutAUnit_isTooShort(String bucket) {
        String limit = "latchkey.guard.limits." + bucket + "[0].";
        assertThat(printed(limit + "tokens=5", limit + "per=5").getDescription())
                .isEqualTo(limit + "per is 5ms, and must be from 1s to 8760h");
    }

    @Test
    void ownIssuer_isNoTrustedIssuer() {
        String other = "latchkey.trusted-issuers.kc.";
        assertPrinted(
                "latchkey.jwt.issuer and the trusted issuer 'kc' are both https://id.example",
                "Set latchkey.jwt.issuer to a text of this service alone, or remove the property.",
                "latchkey.jwt.secret=" + Services.KEY,
                "latchkey.jwt.issuer=https://id.example",
                other + "issuer=https://id.example",
                other + "jwk-set-uri=https://id.example/keys",
                other + "audience=shop");
    }

    /** Docker Compose names hosts so, and the client of the JDK calls no such host. */
    @Test
    void issuerWhoseHostHasAnUnderscore_isRefused() {
        String other = "latchkey.trusted-issuers.kc.";
        assertPrinted(
                "latchkey.trusted-issuers.<name>.jwk-set-uri has no valid host: key_cloak:8080",
                "Write a host of letters, digits, hyphens and dots (RFC 1123). In Docker Compose, give the service an alias"
                        + " without an underscore.",
                other + "issuer=https://id.example",
                other + "jwk-set-uri=http://any:secret@key_cloak:8080/realms/x/certs",
                other + "audience=shop");
    }

    @Test
    void keyOfALongerAlgorithm_isMadeByItsOwnCommand() {
        assertThat(printed("latchkey.jwt.algorithm=HS512", "latchkey.jwt.secret=" + Services.KEY)
                        .getAction())
                .contains("openssl rand -base64 64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"subject-claim", "authorities-claim"})
    void claimWithoutAName_isRefused(String claim) {
        String other = "latchkey.trusted-issuers.kc.";
        assertThat(printed(
                                other + claim + "=",
                                other + "issuer=https://id.example",
                                other + "jwk-set-uri=https://id.example/keys",
                                other + "audience=shop")
                        .getDescription())
                .startsWith("latchkey.trusted-issuers.<name>." + claim);
    }

    /** Boot's own analyser names the key that is left over. */
    @Test
    void secondLimitWithoutAFirst_isLeftToBoot() {
        assertThat(printed("latchkey.guard.limits.source[1].tokens=10").getDescription())
                .contains("latchkey.guard.limits.source[1].tokens", "left unbound");
    }

    @Test
    void tokensWithoutAKey() {
        assertPrinted(
                "latchkey.plugins names 'jwt', the plugin of tokens, and there is no signing key",
                "Set latchkey.jwt.secret to file: and the path of a file that has one (openssl rand -base64 32), or take jwt out of"
                        + " latchkey.plugins.",
                "latchkey.plugins=users,jwt");
    }

    @Test
    void unknownPlugin() {
        FailureAnalysis printed = printed("latchkey.plugins=users,ldap");
        assertThat(printed.getDescription())
                .isEqualTo("The auth plugins that the configuration asks for cannot be had:\n"
                        + "  - No plugin is named 'ldap'; there are: users");
        assertThat(printed.getAction()).startsWith("Correct latchkey.plugins");
    }

    @Test
    void pluginThatIsNamedTwice() {
        assertThat(printed("latchkey.plugins=users,users").getDescription())
                .endsWith("  - Plugin 'users' is selected twice");
    }

    @Test
    void twoPluginBeansOfOneName() {
        FailureAnalysis printed = printed(service.withBean(
                "mine", AuthPlugin.class, () -> SpringAuthenticationPlugin.of("users", login -> login)));
        assertThat(printed.getDescription())
                .startsWith("Two AuthPlugin beans are named 'users': ")
                .contains("the bean 'mine' (dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin)")
                .contains("the bean 'latchkeyUsersPlugin' (dev.latchkey.auth.spring.plugin.UserDetailsPlugin)");
        assertThat(printed.getAction()).startsWith("Let name() of one of them answer something else");
    }

    @Test
    void pluginBeanWithoutAName() {
        for (String name : Arrays.asList("", null)) {
            FailureAnalysis printed = printed(service.withBean("mine", AuthPlugin.class, () -> new Nameless(name)));
            assertThat(printed.getDescription())
                    .startsWith("The AuthPlugin bean 'mine' (dev.latchkey.auth.spring.settings.MistakesTest$Nameless)"
                            + " has no proper name: ")
                    .endsWith("got " + (name == null ? "null" : "''"));
            assertThat(printed.getAction()).startsWith("Let its name() answer");
        }
    }

    @Test
    void twoEncoders_whereThePluginMustChoose() {
        WebApplicationContextRunner two = Services.web()
                .withBean(UserDetailsService.class, InMemoryUserDetailsManager::new)
                .withBean("one", PasswordEncoder.class, () -> new BCryptPasswordEncoder(4))
                .withBean("other", PasswordEncoder.class, () -> new BCryptPasswordEncoder(5));
        two.run(context -> assertThat(context).hasNotFailed());
        FailureAnalysis printed = printed(two, "latchkey.plugins=users");
        assertThat(printed.getDescription())
                .isEqualTo(
                        "There are 2 PasswordEncoder beans, and none of them is primary: the plugin 'users' cannot tell"
                                + " which one the stored hashes were made with");
        assertThat(printed.getAction()).startsWith("Mark one of them with @Primary");
    }

    @Test
    void sharedStoreThatIsPrimary_asItsCopyIs() {
        SharedRevocationStore store =
                JdbcRevocationStore.in(new DelegatingDataSource(), new ServiceName("shop"), Duration.ofHours(1));
        FailureAnalysis printed = printed(
                service.withConfiguration(AutoConfigurations.of(LatchkeyRevocationCopyAutoConfiguration.class))
                        .withBean("shops", SharedRevocationStore.class, () -> store, bean -> bean.setPrimary(true)),
                "latchkey.jwt.secret=" + Services.KEY);
        assertThat(printed.getDescription())
                .startsWith(
                        "A RevocationStore bean is primary beside the copy that the starter keeps of the service's store: ")
                .contains("shops", "latchkeyLocalRevocations");
        assertThat(printed.getAction()).startsWith("Take @Primary off the service's store: ");
    }

    @Test
    void loginWithoutSpringSecurity() {
        FailureAnalysis printed = printed(
                new WebApplicationContextRunner()
                        .withClassLoader(new FilteredClassLoader(HttpSecurity.class))
                        .withConfiguration(AutoConfigurations.of(LatchkeyMistakesAutoConfiguration.class)),
                "latchkey.login.enabled=true");
        assertThat(printed.getDescription())
                .isEqualTo("latchkey.login.enabled is true, and Spring Security is not on the class path");
        assertThat(printed.getAction())
                .isEqualTo("Add the dependency org.springframework.boot:spring-boot-starter-security.");
    }

    @Test
    void encoderWithoutItsLibrary() {
        FailureAnalysis printed = analysisOf(new IllegalStateException(
                new NoClassDefFoundError("org/bouncycastle/crypto/generators/Argon2BytesGenerator")));
        assertThat(printed.getDescription()).contains("needs Bouncy Castle");
        assertThat(printed.getAction()).contains("org.bouncycastle:bcprov-jdk18on");
    }

    @Test
    void pluginsThatCannotBeHad() {
        Throwable failure =
                catchThrowable(() -> PluginDirectory.discover(getClass().getClassLoader())
                        .select(List.of("ldap"), name -> PluginConfig.empty(), PluginHost.ALONE));
        FailureAnalysis printed = analysisOf(new IllegalStateException(failure));
        assertThat(printed.getDescription()).contains("No plugin is named 'ldap'");
        assertThat(printed.getAction()).contains("latchkey.plugins");
    }

    @Test
    void anotherMissingClass_isLeftToBoot() {
        assertThat(new LatchkeyFailureAnalyzer().analyze(new NoClassDefFoundError("com/acme/Thing")))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latchkey.jwt.lifetime=0s | latchkey.jwt.lifetime is 0ms, and must be from 1s to 8760h",
                "latchkey.jwt.lifetime=-5m | latchkey.jwt.lifetime is -300s, and must be from 1s to 8760h",
                "latchkey.cache.absolute-expiry=2d | latchkey.cache.absolute-expiry is 48h, and must be from 1s to 24h",
                "latchkey.cache.maximum-size=0 | latchkey.cache.maximum-size is 0, and must be from 1 to 100000000",
                "latchkey.login.path=auth/login | latchkey.login.path is 'auth/login', which is no path",
                "latchkey.login.path=/auth/login | latchkey.login.path is '/auth/login', and lies below latchkey.login.base-path, which is '/auth'",
                "latchkey.login.introspection=true | latchkey.login.introspection is true, and latchkey.login.enabled is not",
                "latchkey.login.clients.shop.secret=short | A client under latchkey.login.clients has a secret of 5 characters, and needs 22",
                "latchkey.login.base-path=//auth | latchkey.login.base-path is '//auth', which is no path",
                "latchkey.login.base-path=/auth/../x | latchkey.login.base-path is '/auth/../x', which is no path",
                "latchkey.login.base-path=/%61uth | latchkey.login.base-path is '/%61uth', which is no path",
                "latchkey.login.base-path=/a/** | latchkey.login.base-path is '/a/**', which is no path",
                "latchkey.login.base-path=/ | latchkey.login.base-path is '/', which is no path",
                "latchkey.login.base-path=/auth/ | latchkey.login.base-path is '/auth/', which is no path",
                "latchkey.login.base-path=/a/{b} | latchkey.login.base-path is '/a/{b}', which is no path",
                "latchkey.login.refresh.lifetime=0s | latchkey.login.refresh.lifetime is 0ms, and must be from 1s to 87600h",
                "latchkey.login.refresh.idle-lifetime=4000d | latchkey.login.refresh.idle-lifetime is 96000h, and must be from 1s to 87600h",
                "latchkey.login.refresh.enabled=true | latchkey.login.refresh.enabled is true, and latchkey.login.enabled is not",
                "latchkey.guard.permits=0 | latchkey.guard.permits is 0, and must be from 1 to 1000000",
                "latchkey.guard.max-wait=0s | latchkey.guard.max-wait is 0ms, and must be from 1ms to 1h",
                "latchkey.jwt.reload-interval=-1s | latchkey.jwt.reload-interval is -1s, and must be from 1ms to 8760h",
                "latchkey.jwt.reload-interval=1ns | latchkey.jwt.reload-interval is 0ms, and must be from 1ms to 8760h",
                "latchkey.jwt.verifying-secret-files=a.key,,b.key | latchkey.jwt.verifying-secret-files has an empty entry",
                "latchkey.jwt.verifying-secret-files=old.key | latchkey.jwt.verifying-secret-files is set, and no key that signs is"
            })
    void valueThatCannotBe(String property, String description) {
        FailureAnalysis printed = printed(property);
        assertThat(printed.getDescription()).isEqualTo(description);
        assertThat(printed.getAction()).isNotEmpty();
    }

    @Test
    void introspectionWithoutAClient_asksForOne() {
        assertPrinted(
                "latchkey.login.introspection is true, and no client is registered",
                "Register the asking service: set latchkey.login.clients.<id>.secret, or define a RegisteredClient bean.",
                "latchkey.jwt.secret=" + Services.KEY,
                "latchkey.login.enabled=true",
                "latchkey.login.introspection=true");
    }

    @Test
    void typeOfTokens_isVisibleAscii() {
        assertPrinted(
                "latchkey.jwt.type is not a type of tokens",
                "Set latchkey.jwt.type to 1 to 255 characters of visible ASCII, such as at+jwt, or remove the property.",
                "latchkey.jwt.secret=" + Services.KEY,
                "latchkey.jwt.type=at jwt");
    }

    private void assertPrinted(String description, String action, String... properties) {
        FailureAnalysis printed = printed(properties);
        assertThat(printed.getDescription()).isEqualTo(description);
        assertThat(printed.getAction()).isEqualTo(action);
    }

    private FailureAnalysis printed(String... properties) {
        return printed(service, properties);
    }

    private static FailureAnalysis printed(WebApplicationContextRunner runner, String... properties) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        runner.withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            found[0] = analysisOf(context.getStartupFailure());
        });
        return found[0];
    }

    private static FailureAnalysis analysisOf(Throwable failure) {
        return ANALYSERS.stream()
                .map(analyser -> askedAsBootDoes(analyser, failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No analyser knows", failure));
    }

    private static @Nullable FailureAnalysis askedAsBootDoes(FailureAnalyzer analyser, Throwable failure) {
        try {
            return analyser.analyze(failure);
        } catch (LinkageError e) {
            // Boot has analysers for libraries that are not here, and passes them over.
            return null;
        }
    }

    /** A plugin whose compiler does not check for null. */
    private record Nameless(@Nullable String answer) implements AuthPlugin {

        @Override
        @SuppressWarnings("NullAway")
        public String name() {
            return answer;
        }
    }
}
