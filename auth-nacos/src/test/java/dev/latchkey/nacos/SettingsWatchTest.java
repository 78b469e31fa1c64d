package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.common.event.ServerConfigChangeEvent;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.ServerProperties;
import dev.latchkey.nacos.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsWatchTest {

    private static final String OTHER_SECRET = "Zm9yIHRoZSByb3RhdGlvbiBpbiB0aGVzZSB0ZXN0cyEhMTIzNA==";
    private static final String THIRD_SECRET = "YWJjZGVmZ2hpamtsbW5vcGFiY2RlZmdoaWprbG1ub3BhYmNkZWZnaGlqa2xtbm9w";
    private static final String HASH = "$2a$10$one";

    /** Near the present, by which the store of logouts goes. */
    private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private final Map<String, String> properties =
            new HashMap<>(Map.of(SettingsReader.SECRET, DefaultToken.SECRET, SettingsReader.LIFETIME, "60"));
    private final NacosSettings first = read();
    private final RotatingKeys keys = RotatingKeys.startingWith(first.keyRing(now));
    private final AccessTokens tokens = PluginParts.tokens(new FakeUsers().with("ada", HASH), keys, first, () -> now);
    private final SettingsWatch watch = new SettingsWatch(this::read, keys, tokens, first.lifetime(), () -> now);

    @Test
    void changedKey_signsFromThenOn_andTheOneBeforeIsGoodForOneLifetime() {
        String old = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        change(SettingsReader.SECRET, OTHER_SECRET);
        String fresh = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();

        assertThat(DefaultToken.isSignedBy(OTHER_SECRET, fresh)).isTrue();
        assertThat(tokens.check(fresh)).isPresent();
        assertThat(tokens.check(old)).isPresent();
        now = now.plusSeconds(59);
        assertThat(tokens.check(old)).isPresent();
        assertThat(keys.ring().entries().get(1).until()).isEqualTo(now.plusSeconds(1));
    }

    @Test
    void keyOfATokenOfTheDefaultPlugin_endsAfterOneLifetime_howeverLongTheTokenSaysItIsGood() {
        properties.put(ServerProperties.OWN + "rollout.accept.default.tokens", "true");
        AccessTokens accepting = PluginParts.tokens(new FakeUsers().with("ada", HASH), keys, read(), () -> now);
        String old = DefaultToken.of("ada", DefaultToken.SECRET, now.plusSeconds(6_000));
        change(SettingsReader.SECRET, OTHER_SECRET);

        now = now.plusSeconds(59);
        assertThat(accepting.check(old)).isPresent();
        now = now.plusSeconds(1);
        assertThat(accepting.check(old)).isEmpty();
    }

    @Test
    void keyThatIsWrittenAgain_changesNothing() {
        change(SettingsReader.SECRET, DefaultToken.SECRET.replace("=", ""));

        assertThat(keys.ring().size()).isEqualTo(1);
    }

    @Test
    void changedLifetime_isThatOfTheNextToken_andOfTheNextKeyThatIsReplaced() {
        change(SettingsReader.LIFETIME, "600");
        assertThat(tokens.secondsLeft(tokens.check(
                                tokens.issue(PluginParts.login("ada", HASH)).orElseThrow())
                        .orElseThrow()))
                .isEqualTo(600);

        change(SettingsReader.SECRET, OTHER_SECRET);
        assertThat(keys.ring().entries().get(1).until()).isEqualTo(now.plusSeconds(600));
    }

    @Test
    void keyThatIsReplacedWithItsLifetime_isGoodForTheOneThatItsTokensHave() {
        properties.put(SettingsReader.LIFETIME, "10");
        change(SettingsReader.SECRET, OTHER_SECRET);

        assertThat(keys.ring().entries().get(1).until()).isEqualTo(now.plusSeconds(60));
    }

    @Test
    void keyThatIsReplacedAfterAShorterLifetime_isGoodUntilItsLastTokenExpires() {
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();
        Instant end = now.plusSeconds(60);
        change(SettingsReader.LIFETIME, "10");
        now = now.plusSeconds(5);
        change(SettingsReader.SECRET, OTHER_SECRET);

        assertThat(keys.ring().entries().get(1).until()).isEqualTo(end);
        now = end.minusSeconds(1);
        assertThat(tokens.check(token)).isPresent();
    }

    @Test
    void longTokensOfTheKeyBefore_keepNoLaterKey() {
        change(SettingsReader.LIFETIME, "10");
        change(SettingsReader.SECRET, OTHER_SECRET);
        change(SettingsReader.SECRET, THIRD_SECRET);

        assertThat(keys.ring().entries().get(1).until()).isEqualTo(now.plusSeconds(10));
    }

    @Test
    void configurationThatIsWrong_leavesAllAsItWas() {
        properties.put(SettingsReader.LIFETIME, "600");
        change(SettingsReader.SECRET, "c2hvcnQ=");
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();

        assertThat(DefaultToken.isSignedBy(DefaultToken.SECRET, token)).isTrue();
        assertThat(tokens.secondsLeft(tokens.check(token).orElseThrow())).isEqualTo(60);
    }

    @Test
    void lifetimeThatIsTooLong_leavesTheKeyAsItWasToo() {
        properties.put(SettingsReader.SECRET, OTHER_SECRET);
        change(SettingsReader.LIFETIME, Long.toString(Duration.ofDays(31).toSeconds()));

        assertThat(DefaultToken.isSignedBy(
                        DefaultToken.SECRET,
                        tokens.issue(PluginParts.login("ada", HASH)).orElseThrow()))
                .isTrue();
    }

    private void change(String property, String value) {
        properties.put(property, value);
        watch.onEvent(new ServerConfigChangeEvent());
    }

    private NacosSettings read() {
        return SettingsReader.read(PluginParts.inServer(properties));
    }
}
