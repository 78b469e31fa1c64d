package dev.latchkey.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.latchkey.auth.BadApi;
import dev.latchkey.auth.cache.BadCache;
import dev.latchkey.auth.client.BadClient;
import dev.latchkey.auth.guard.BadGuard;
import dev.latchkey.auth.jdbc.BadJdbc;
import dev.latchkey.auth.jdbc.calls.BadCalls;
import dev.latchkey.auth.jwt.BadJwt;
import dev.latchkey.auth.jwt.BadTokenUtils;
import dev.latchkey.auth.jwt.internal.BadDepth;
import dev.latchkey.auth.password.BadPassword;
import dev.latchkey.auth.redis.BadRedis;
import dev.latchkey.auth.spring.BadConfiguration;
import dev.latchkey.auth.spring.crowd.BadCrowd;
import dev.latchkey.auth.spring.downstairs.BadDownstairs;
import dev.latchkey.auth.spring.upstairs.BadUpstairs;
import dev.latchkey.auth.store.BadStore;
import dev.latchkey.auth.test.BadSupport;
import dev.latchkey.examples.apikey.BadPlugin;
import dev.latchkey.plugins.apikeys.BadApiKeys;
import dev.latchkey.plugins.codes.BadCodes;
import dev.latchkey.plugins.ldap.BadDirectory;
import dev.latchkey.plugins.passkeys.BadPasskeys;
import dev.latchkey.throttle.BadThrottle;
import dev.latchkey.throttle.spring.BadThrottleStarter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For each rule a class with the defect, and the word in the report for exactly this defect. */
class RulesCanFailTest {

    /** Read once: each reading looks up all that a class stands on. */
    private static final JavaClasses FIXTURES = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("dev.latchkey");

    static Stream<Arguments> violations() {
        return Stream.of(
                arguments("API_STANDS_ON_THE_JDK", BadApi.class, "PasswordEncoder"),
                arguments("STORES_STAND_ON_THE_JDK", BadStore.class, "PasswordEncoder"),
                arguments("JWT_STANDS_ON_THE_JDK", BadJwt.class, "dev.latchkey.auth.cache"),
                arguments("PASSWORD_SEES_ITS_PORT_ONLY", BadPassword.class, "dev.latchkey.auth.jwt"),
                arguments("CACHE_SEES_ITS_PORT_ONLY", BadCache.class, "dev.latchkey.auth.password"),
                arguments("GUARD_SEES_BUCKETS_ONLY", BadGuard.class, "dev.latchkey.auth.cache"),
                arguments("THROTTLE_SEES_BUCKETS_AND_SOURCES", BadThrottle.class, "dev.latchkey.auth.cache"),
                arguments("THROTTLE_STARTER_SEES_NO_AUTHENTICATION", BadThrottleStarter.class, "dev.latchkey.auth.jwt"),
                arguments("AUTH_SEES_NO_THROTTLE", BadGuard.class, "dev.latchkey.throttle"),
                arguments("JDBC_SEES_THE_DATABASE_ONLY", BadJdbc.class, "dev.latchkey.auth.cache"),
                arguments("CALLS_SEE_NO_STORE", BadCalls.class, "JdbcLoginStore"),
                arguments("REDIS_SEES_REDIS_ONLY", BadRedis.class, "dev.latchkey.auth.cache"),
                arguments("CLIENT_SEES_HTTP_CLIENTS_ONLY", BadClient.class, "dev.latchkey.auth.cache"),
                arguments("EXAMPLE_PLUGIN_SEES_THE_API_ONLY", BadPlugin.class, "dev.latchkey.auth.jwt"),
                arguments(
                        "API_KEYS_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH", BadApiKeys.class, "dev.latchkey.auth.jwt"),
                arguments(
                        "PASSKEYS_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH", BadPasskeys.class, "dev.latchkey.auth.jwt"),
                arguments("CODES_SEE_THE_API_AND_WHAT_THEY_ARE_MADE_WITH", BadCodes.class, "dev.latchkey.auth.jwt"),
                arguments("LDAP_SEES_THE_API_AND_ITS_PROTOCOL", BadDirectory.class, "dev.latchkey.auth.jwt"),
                arguments(
                        "TEST_SUPPORT_SEES_WHAT_A_TEST_OF_A_SERVICE_DOES", BadSupport.class, "dev.latchkey.auth.jdbc"),
                arguments("SPRING_STAYS_IN_THE_STARTER", BadPassword.class, "AutoConfiguration"),
                arguments("NOBODY_SEES_THE_STARTER", BadGuard.class, "dev.latchkey.auth.spring"),
                arguments("ROOMS_MAKE_NO_CIRCLE", BadUpstairs.class, "BadDownstairs"),
                arguments("NO_ROOM_IS_CROWDED", BadCrowd.class, "has 32 files"),
                arguments("PUBLIC_TYPES_ARE_LISTED", BadGuard.class, "BadGuard is not in public-types.txt"),
                arguments("NAMES_SAY_THE_ROLE", BadTokenUtils.class, "BadTokenUtils"),
                arguments("NAMES_SAY_THE_ROLE", BadTokenUtils.BadTokenImpl.class, "BadTokenImpl"),
                arguments("NAMES_SAY_THE_ROLE", BadTokenUtils.AbstractToken.class, "AbstractToken"),
                arguments("CLASSES_ARE_FINAL_OR_SEALED", BadCache.class, "BadCache is open"),
                arguments("CLASSES_ARE_FINAL_OR_SEALED", BadCache.layoutWithAMethod(), "BadLayout is open"),
                arguments("PACKAGES_ARE_NULL_MARKED", BadDepth.class, "dev.latchkey.auth.jwt.internal"),
                arguments("NOTHING_IS_PRINTED", BadJwt.class, "System.out"),
                arguments("NOBODY_SLEEPS", BadGuard.class, "Thread.sleep"),
                arguments("THREADS_INHERIT_NOTHING", BadGuard.class, "java.lang.Thread.<init>"),
                arguments("TIME_IS_INJECTED", BadJwt.class, "Instant.now"),
                arguments("TIME_IS_INJECTED", BadApi.class, "Clock.systemUTC"),
                arguments("TIME_IS_INJECTED", BadCache.class, "System.currentTimeMillis"),
                arguments("RANDOM_IS_SECURE", BadApi.class, "java.util.Random"),
                arguments("TEXT_NAMES_ITS_LOCALE", BadTokenUtils.class, "String.formatted"),
                arguments("TEXT_NAMES_ITS_LOCALE", BadTokenUtils.class, "String.format("),
                arguments("HTTP_FIELDS_ARE_NO_MAP", BadConfiguration.class, "HttpHeaders.remove(java.lang.Object)"),
                arguments("HTTP_FIELDS_ARE_NO_MAP", BadConfiguration.class, "HttpHeaders.keySet()"),
                arguments("BASE64_IS_NOT_DECODED_BY_THE_JDK", BadJwt.class, "Base64$Decoder"),
                arguments("BYTES_ARE_COMPARED_IN_CONSTANT_TIME", BadPassword.class, "Arrays.equals"),
                arguments("NO_LOCK_SPANS_A_METHOD", BadCache.class, "synchronizedMethod"),
                arguments("AUTO_CONFIGURATIONS_ARE_PUBLIC_AND_FINAL", BadConfiguration.class, "FINAL"),
                arguments("CONFIGURATIONS_ARE_NOT_PROXIED", BadConfiguration.Proxied.class, "is proxied"),
                arguments("BEAN_METHODS_ARE_PACKAGE_PRIVATE", BadConfiguration.class, "open()"),
                arguments("BEANS_BACK_OFF", BadConfiguration.class, "open()"),
                arguments("POST_PROCESSORS_ARE_STATIC", BadConfiguration.class, "early("),
                arguments("POST_PROCESSORS_ASK_LATE", BadConfiguration.class, "Environment"),
                arguments("NOTHING_HAPPENS_AFTER_CONSTRUCTION", BadConfiguration.class, "afterwards()"),
                arguments("BOOT_IS_ORDERED_BY_NAME", BadConfiguration.class, "names org.springframework"),
                arguments("BOOT_IS_ORDERED_BY_NAME", BadConfiguration.class, "and not the other"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void classThatBreaksARule_isReported(String rule, Class<?> fixture, String reported) {
        var result = Rules.all().get(rule).allowEmptyShould(true).evaluate(of(fixture));
        assertThat(result.getFailureReport().getDetails()).anyMatch(line -> line.contains(reported));
    }

    /** The class, and the context of rules about packages. */
    private static JavaClasses of(Class<?> fixture) {
        return FIXTURES.that(describe(
                "what " + fixture + " needs",
                type -> fixture == BadCrowd.class
                        ? type.getPackageName().equals(BadCrowd.class.getPackageName())
                        : type.isEquivalentTo(fixture) || type.isEquivalentTo(BadDownstairs.class)));
    }

    @Test
    void everyRule_isShownToFail() {
        assertThat(violations().map(arguments -> (String) arguments.get()[0]).distinct())
                .containsExactlyInAnyOrderElementsOf(Rules.all().keySet());
    }
}
