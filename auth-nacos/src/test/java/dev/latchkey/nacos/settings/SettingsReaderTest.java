package dev.latchkey.nacos.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.nacos.DefaultToken;
import dev.latchkey.nacos.settings.NacosSettings.DefaultTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsReaderTest {

    private static final String SECRET = DefaultToken.SECRET;

    private static final String OTHER_SECRET = "Zm9yIHRoZSByb3RhdGlvbiBpbiB0aGVzZSB0ZXN0cyEhMTIzNA==";

    private final Map<String, String> properties = new HashMap<>(Map.of(SettingsReader.SECRET, SECRET));

    @Test
    void withTheServersKeyAlone_theDefaultsHold() {
        NacosSettings settings = read();

        assertThat(settings.lifetime()).isEqualTo(Duration.ofHours(5));
        assertThat(settings.signingKey().algorithm()).isEqualTo(HmacAlgorithm.HS256);
        assertThat(settings.previousKeys()).isEmpty();
        assertThat(settings.passwordCache()).isNotNull();
        assertThat(settings.hashing().atOnce()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(settings.hashing().maxWait()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.rollout().read()).isEqualTo(DefaultTokens.REFUSED);
        assertThat(settings.rollout().written()).isEqualTo(DefaultTokens.REFUSED);
    }

    @Test
    void keyWithoutItsPadding_isTheSameKey() {
        NacosSettings padded = read();
        properties.put(SettingsReader.SECRET, SECRET.replace("=", ""));

        assertThat(read().signingKey().isSameKeyAs(padded.signingKey())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c2hvcnQ=",
                "not base64, but long enough to be a key of thirty-two bytes",
                "SecretKey012345678901234567890123456789012345678901234567890123456789"
            })
    void keyThatIsNone_isRefusedByItsName_andNotPrinted(String key) {
        properties.put(SettingsReader.SECRET, key);

        assertThatIllegalArgumentException()
                .isThrownBy(this::read)
                .withMessageStartingWith(SettingsReader.SECRET)
                .satisfies(e -> assertThat(key.isEmpty() || !e.getMessage().contains(key))
                        .isTrue());
    }

    @Test
    void previousKeys_areAList() {
        own("token.previous.secret.keys", OTHER_SECRET + " , " + SECRET);

        assertThat(read().previousKeys()).hasSize(2);
    }

    @Test
    void previousKeys_areGoodForOneLifetime_andTheKeyThatSignsForEver() {
        own("token.previous.secret.keys", OTHER_SECRET);
        properties.put(SettingsReader.LIFETIME, "60");
        Instant now = Instant.parse("2026-11-22T00:00:00Z");
        List<KeyRing.Entry> entries = read().keyRing(now).entries();

        assertThat(entries).hasSize(2);
        assertThat(entries.get(0).key().isSameKeyAs(HmacKey.ofBase64(SECRET))).isTrue();
        assertThat(entries.get(0).until()).isEqualTo(Instant.MAX);
        assertThat(entries.get(1).key().isSameKeyAs(HmacKey.ofBase64(OTHER_SECRET)))
                .isTrue();
        assertThat(entries.get(1).until()).isEqualTo(now.plusSeconds(60));
    }

    @Test
    void previousKeys_areFifteenAtMost() {
        own("token.previous.secret.keys", String.join(",", Collections.nCopies(15, OTHER_SECRET)));
        assertThat(read().keyRing(Instant.EPOCH).size()).isEqualTo(16);

        own("token.previous.secret.keys", String.join(",", Collections.nCopies(16, OTHER_SECRET)));
        assertThatIllegalArgumentException()
                .isThrownBy(this::read)
                .withMessageStartingWith("nacos.core.auth.plugin.latchkey.token.previous.secret.keys");
    }

    @Test
    void settingsThatAreWritten_areThoseInUse() {
        properties.put(SettingsReader.LIFETIME, "61");
        own("password.cache.idle.seconds", "62");
        own("password.cache.absolute.seconds", "63");
        own("password.cache.size", "64");
        own("hashing.at.once", "65");
        own("refusal.delay.millis", "66");
        own("rollout.accept.default.tokens", "true");
        own("trusted.proxies", "192.0.2.1");
        own("forwarding.header", "forwarded");
        NacosSettings settings = read();

        assertThat(settings.lifetime()).isEqualTo(Duration.ofSeconds(61));
        assertThat(settings.passwordCache().idleExpiry()).isEqualTo(Duration.ofSeconds(62));
        assertThat(settings.passwordCache().absoluteExpiry()).isEqualTo(Duration.ofSeconds(63));
        assertThat(settings.passwordCache().maximumSize()).isEqualTo(64);
        assertThat(settings.hashing().atOnce()).isEqualTo(65);
        assertThat(settings.refusalDelay()).isEqualTo(Duration.ofMillis(66));
        assertThat(settings.rollout().read()).isEqualTo(DefaultTokens.USED);
        assertThat(settings.rollout().written()).isEqualTo(DefaultTokens.REFUSED);
        assertThat(settings.proxies().sourceOf("192.0.2.1", field -> forwardedFor(field, "198.51.100.7")))
                .isEqualTo(TrustedProxies.none().sourceOf("198.51.100.7", field -> List.of()));
    }

    /** In the form of Nacos 3.2, with empty old names beside. */
    @Test
    void namesOfNacos32_areReadToo_andComeFirst() {
        properties.put("nacos.plugin.auth.nacos.token.secret.key", OTHER_SECRET);
        properties.put("nacos.plugin.auth.nacos.token.expire.seconds", "61");
        properties.put("nacos.plugin.auth.latchkey.hashing.at.once", "3");
        own("hashing.at.once", "4");
        properties.put("nacos.plugin.auth.latchkey.password.cache.size", " ");
        own("password.cache.size", "64");
        NacosSettings settings = read();

        assertThat(settings.signingKey().isSameKeyAs(HmacKey.ofBase64(OTHER_SECRET)))
                .isTrue();
        assertThat(settings.lifetime()).isEqualTo(Duration.ofSeconds(61));
        assertThat(settings.hashing().atOnce()).isEqualTo(3);
        assertThat(settings.passwordCache().maximumSize()).isEqualTo(64);
    }

    @Test
    void type_isReadUnderBothNames() {
        properties.put("nacos.core.auth.system.type", "latchkey");
        assertThat(ServerProperties.type(properties::get)).isEqualTo("latchkey");
        properties.put("nacos.plugin.auth.type", "");
        assertThat(ServerProperties.type(properties::get)).isEqualTo("latchkey");
        properties.put("nacos.plugin.auth.type", "nacos");
        assertThat(ServerProperties.type(properties::get)).isEqualTo("nacos");
    }

    @ParameterizedTest
    @CsvSource({
        "sources,'ldap,users',must begin with users",
        "sources,'users,users',twice",
        "sources,'users,LDAP',lower-case",
        "plugin.ldap.urls,ldap://127.0.0.1,the setting of no source",
        "plugin.users.x,1,the setting of no source",
        "role.readers,ROLE_X,source:authority",
        "role.readers,users:ROLE_X,other than users",
        "role.readers,ldap:ROLE_X,names 'ldap'"
    })
    void sourcesThatCannotBe_areRefusedByTheirName(String name, String value, String why) {
        own(name, value);

        assertThatIllegalArgumentException()
                .isThrownBy(this::read)
                .withMessageContainingAll("nacos.core.auth.plugin.latchkey." + name, why);
    }

    @Test
    void unknownName_isRefused_andTheKnownOnesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> SettingsReader.read(new ServerProperties(properties::get, List.of("hashing.at-once"))))
                .withMessageContainingAll("latchkey.hashing.at-once is unknown", "hashing.at.once", "trusted.proxies");
    }

    @ParameterizedTest
    @CsvSource({
        "rollout.accept.default.tokens,yes",
        "password.cache.enabled,1",
        "password.cache.size,0",
        "password.cache.idle.seconds,86401",
        "hashing.at.once,0",
        "hashing.at.once,many",
        "trusted.proxies,proxy.example.org",
        "forwarding.header,X-Real-IP"
    })
    void valueThatCannotBe_isRefusedByItsName(String name, String value) {
        own(name, value);

        assertThatIllegalArgumentException()
                .isThrownBy(this::read)
                .withMessageStartingWith("nacos.core.auth.plugin.latchkey." + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "5h", "2147483648"})
    void lifetimeThatIsNone_isRefusedByItsName(String value) {
        properties.put(SettingsReader.LIFETIME, value);

        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageStartingWith(SettingsReader.LIFETIME);
    }

    @Test
    void tokenOfOneSecond_isALifetime() {
        properties.put(SettingsReader.LIFETIME, "1");

        assertThat(read().lifetime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void cacheThatIsSwitchedOff_isNone() {
        own("password.cache.enabled", "FALSE");

        assertThat(read().passwordCache()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"console", "CONSOLE"})
    void consoleByItself_isRefused(String type) {
        properties.put("nacos.deployment.type", type);

        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageStartingWith("nacos.deployment.type");
    }

    @Test
    void settings_printNoKey() {
        assertThat(read().toString()).doesNotContain(SECRET).doesNotContain("qk3b");
    }

    private static List<String> forwardedFor(String field, String address) {
        return field.equalsIgnoreCase("Forwarded") ? List.of("for=" + address) : List.of();
    }

    private static Stream<String> ownName(String name) {
        return Stream.of(ServerProperties.OWN, ServerProperties.OWN_SINCE_3_2)
                .filter(name::startsWith)
                .map(prefix -> name.substring(prefix.length()));
    }

    private void own(String name, String value) {
        properties.put("nacos.core.auth.plugin.latchkey." + name, value);
    }

    private NacosSettings read() {
        return SettingsReader.read(new ServerProperties(
                properties::get,
                properties.keySet().stream()
                        .flatMap(SettingsReaderTest::ownName)
                        .toList()));
    }
}
