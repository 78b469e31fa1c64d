package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.ServerProperties;
import dev.latchkey.nacos.settings.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AccessTokensTest {

    private final Instant second = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private static final String HASH = "$2a$10$one";

    private Instant now = second.plusMillis(400);
    private final FakeUsers users = new FakeUsers().with("ada", HASH);
    private final Map<String, String> properties =
            new HashMap<>(Map.of(SettingsReader.SECRET, DefaultToken.SECRET, SettingsReader.LIFETIME, "15"));

    @Test
    void token_isGoodForItsUser_untilItsTimeIsOver() {
        AccessTokens tokens = tokens();
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();

        assertThat(tokens.check(token).flatMap(VerifiedJwt::subject)).contains("ada");
        assertThat(tokens.secondsLeft(tokens.check(token).orElseThrow())).isEqualTo(15);
        // Five seconds more for clocks that differ.
        now = second.plusMillis(19_999);
        assertThat(tokens.secondsLeft(tokens.check(token).orElseThrow())).isZero();
        now = second.plusSeconds(20);
        assertThat(tokens.check(token)).isEmpty();
    }

    @Test
    void changedPassword_endsTheToken_onceTheCopyHasIt() {
        AccessTokens tokens = tokens();
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        users.with("ada", "$2a$10$two");

        assertThat(tokens.check(token)).isEmpty();
    }

    @Test
    void newToken_isGoodWhileTheCopyHasTheOldPassword() {
        AccessTokens tokens = tokens();
        users.table.put("ada", "$2a$10$two");

        assertThat(tokens.check(
                        tokens.issue(PluginParts.login("ada", "$2a$10$two")).orElseThrow()))
                .isPresent();
    }

    @Test
    void userWhoIsNotInTheCopyYet_isReadFromTheDatabase() {
        AccessTokens tokens = tokens();
        users.table.put("new", HASH);

        assertThat(tokens.check(tokens.issue(PluginParts.login("new", HASH)).orElseThrow()))
                .isPresent();
    }

    @Test
    void userWhoIsGone_hasNoToken() {
        AccessTokens tokens = tokens();
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        users.table.clear();
        users.copy.clear();

        assertThat(tokens.check(token)).isEmpty();
    }

    @Test
    void tokenThatTheCopyKnows_isGoodWithoutADatabase_andOthersAreAnOutage() {
        AccessTokens tokens = tokens();
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        users.isDown = true;

        assertThat(tokens.check(token)).isPresent();
        assertThat(users.reads).hasValue(0);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> tokens.check(
                        tokens.issue(PluginParts.login("ada", "$2a$10$two")).orElseThrow()));
    }

    @Test
    void tokenThatWasLoggedOut_isNotGood_andAnotherOneOfTheUserIs() {
        AccessTokens tokens = tokens();
        String one = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        String other = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();

        tokens.revoke(tokens.check(one).orElseThrow());
        assertThat(tokens.check(one)).isEmpty();
        assertThat(tokens.check(other)).isPresent();
        // The last accepted moment.
        now = second.plusMillis(19_999);
        assertThat(tokens.check(one)).isEmpty();
        assertThat(tokens.check(other)).isPresent();
    }

    @Test
    void loginInTheSecondOfALogoutOfAll_isToldToComeAgainInTheNext() {
        AccessTokens tokens = tokens();
        tokens.revokeAll("ada");

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> tokens.issue(PluginParts.login("ada", HASH)).orElseThrow())
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD))
                .satisfies(e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(600)));
        now = second.plusSeconds(1);
        assertThat(tokens.check(tokens.issue(PluginParts.login("ada", HASH)).orElseThrow()))
                .isPresent();
    }

    /** Tokens have times in whole seconds. */
    @Test
    void loginWithLessThanASecondLeft_hasNoToken() {
        Authenticated login = PluginParts.login("ada", HASH);

        assertThat(tokens().issue(login.until(now.plusMillis(999)))).isEmpty();
        assertThat(tokens().issue(login.until(now.plusMillis(1_000)))).isPresent();
    }

    @Test
    void userWithoutAStoredHash_hasNoToken() {
        AccessTokens tokens = tokens();
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        users.with("ada", "");

        assertThat(tokens.check(token)).isEmpty();
    }

    /** Nodes with different versions of this plugin must agree. */
    @Test
    void mark_isTheSameInEachVersion() {
        assertThat(PasswordMark.of("ada", HASH)).isEqualTo("huAWWhvhnrsfdz3LZjDaog");
    }

    @Test
    void tokenOfTheDefaultPlugin_isGoodWhereThatWasAskedFor_andForUsersOnly() {
        String token = DefaultToken.of("ada", DefaultToken.SECRET, now.plusSeconds(60));
        assertThat(tokens().check(token)).isEmpty();

        properties.put(ServerProperties.OWN + "rollout.accept.default.tokens", "true");
        assertThat(tokens().check(token)).isPresent();
        assertThat(tokens().check(DefaultToken.of("eve", DefaultToken.SECRET, now.plusSeconds(60))))
                .isEmpty();
    }

    @Test
    void tokenOfTheDefaultPlugin_endsByLogout() {
        properties.put(ServerProperties.OWN + "rollout.accept.default.tokens", "true");
        AccessTokens tokens = tokens();
        String one = DefaultToken.of("ada", DefaultToken.SECRET, now.plusSeconds(60));
        String other = DefaultToken.of("ada", DefaultToken.SECRET, now.plusSeconds(61));

        tokens.revoke(tokens.check(one).orElseThrow());
        assertThat(tokens.check(one)).isEmpty();
        assertThat(tokens.check(other)).isPresent();
    }

    @Test
    void markOfAnotherType_isNoAbsentMark() {
        properties.put(ServerProperties.OWN + "rollout.accept.default.tokens", "true");
        JwtSigner signer = JwtSigner.with(HmacKey.ofBase64(DefaultToken.SECRET)).withTimeSource(() -> now);
        JwtClaims claims = JwtClaims.forSubject("ada", Duration.ofSeconds(60));

        assertThat(tokens().check(signer.sign(claims.with("pwm", List.of("a")))))
                .isEmpty();
        assertThat(tokens().check(signer.sign(claims.with("pwm", "")))).isEmpty();
        assertThat(tokens().check(signer.sign(claims.with("pwm", 1)))).isEmpty();
    }

    @Test
    void markOfOneUser_isNotAnothers() {
        users.with("eve", HASH);
        JwtSigner signer = JwtSigner.with(HmacKey.ofBase64(DefaultToken.SECRET)).withTimeSource(() -> now);
        String forged = signer.sign(
                JwtClaims.forSubject("eve", Duration.ofSeconds(60)).with("pwm", PasswordMark.of("ada", HASH)));

        assertThat(tokens().check(forged)).isEmpty();
    }

    @Test
    void headerHasAType_unlessTokensAreWrittenForTheDefaultPlugin() {
        assertThat(headerOf(tokens().issue(PluginParts.login("ada", HASH)).orElseThrow()))
                .isEqualTo("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
        properties.put(ServerProperties.OWN + "rollout.write.default.tokens", "true");
        assertThat(headerOf(tokens().issue(PluginParts.login("ada", HASH)).orElseThrow()))
                .isEqualTo("{\"alg\":\"HS256\"}");
    }

    @Test
    void lifetime_canChange_butNotBeyondWhatLogoutsAreRememberedFor() {
        AccessTokens tokens = tokens();
        tokens.changeLifetime(Duration.ofSeconds(60));

        assertThat(tokens.secondsLeft(tokens.check(
                                tokens.issue(PluginParts.login("ada", HASH)).orElseThrow())
                        .orElseThrow()))
                .isEqualTo(60);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tokens.changeLifetime(Duration.ofDays(31)))
                .withMessageContaining(SettingsReader.LIFETIME);
    }

    private AccessTokens tokens() {
        NacosSettings settings = SettingsReader.read(PluginParts.inServer(properties));
        return PluginParts.tokens(users, RotatingKeys.startingWith(settings.signingKey()), settings, () -> now);
    }

    private static String headerOf(String token) {
        return new String(
                Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.'))), StandardCharsets.UTF_8);
    }
}
