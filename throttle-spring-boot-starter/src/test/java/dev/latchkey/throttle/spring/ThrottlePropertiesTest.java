package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.redis.RedisPortionStore;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class ThrottlePropertiesTest {

    private final WebApplicationContextRunner service = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LatchkeyThrottleAutoConfiguration.class));

    @Test
    void withoutAThrottle_thereIsNothing() {
        service.run(context -> assertThat(context)
                .doesNotHaveBean(FilterRegistrationBean.class)
                .doesNotHaveBean(ThrottleControls.class)
                .doesNotHaveBean(GuardTime.class));
    }

    @Test
    void throttlesAreAFilterBehindSpringSecuritys() {
        service.withPropertyValues("latchkey.throttle.api.source.tokens=100").run(context -> {
            assertThat(context.getBean("latchkeyThrottleFilter", FilterRegistrationBean.class))
                    .satisfies(filter -> assertThat(filter.getOrder()).isEqualTo(-90))
                    .satisfies(filter -> assertThat(filter.isMatchAfter()).isFalse());
            assertThat(context.getBean(ThrottleControls.class).snapshot("api").rates())
                    .containsOnlyKeys(ThrottleScope.SOURCE)
                    .containsValue(new BucketRate(100, Duration.ofSeconds(1), 1));
        });
    }

    /** Boot can move Spring Security's filter. In front of this filter, no user is known. */
    @ParameterizedTest
    @CsvSource({"0, 10", "-2147483648, -2147483638", "2147483646, 2147483647"})
    void throttlesFollowSpringSecuritysFilter(int security, int order) {
        service.withPropertyValues(
                        "latchkey.throttle.api.source.tokens=100", "spring.security.filter.order=" + security)
                .run(context -> assertThat(context.getBean("latchkeyThrottleFilter", FilterRegistrationBean.class)
                                .getOrder())
                        .isEqualTo(order));
    }

    /** With equal orders, the filter of the throttles would be in front, where no user is known. */
    @Test
    void securityFilterInTheLastPlace_stopsTheStart() {
        assertStops(
                service.withPropertyValues(
                        "latchkey.throttle.api.principal.tokens=100", "spring.security.filter.order=2147483647"),
                "spring.security.filter.order is 2147483647, and throttles need an order behind");
    }

    @Test
    void settingWithoutAValue_isLeftOut() {
        service.withPropertyValues(
                        "latchkey.throttle.api.source.tokens=100",
                        "latchkey.throttle.api.write-timeout=",
                        "latchkey.throttle.api.source.burst=${no.burst:}")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void switchThatIsNeitherTrueNorFalse_stopsTheStart() {
        assertStops(
                service.withPropertyValues("latchkey.throttle.api.source.tokens=100", "latchkey.enabled=off"),
                "latchkey.enabled is 'off', and must be true or false");
    }

    @ParameterizedTest
    @CsvSource({
        "shared, rate-limit-fields, off",
        "shared, rate-limit-fields, no",
        "shared, rate-limit-fields, 0",
        "shared, rate-limit-fields, 'false '",
        "SHARED, rateLimitFields, on"
    })
    void switchOfAThrottleThatIsNeitherTrueNorFalse_stopsTheStart(String shared, String fields, String value) {
        String throttle = "latchkey.throttle.api.";
        WebApplicationContextRunner throttled = service.withPropertyValues(throttle + "source.tokens=100");
        assertStops(
                withValue(throttled, throttle + fields, value),
                throttle + "rate-limit-fields is '" + value + "', and must be true or false");
        assertStops(
                withValue(throttled, throttle + shared, value),
                throttle + "shared is '" + value + "', and must be true or false");
    }

    @Test
    void switchOfAThrottleInCapitals_isRead() {
        service.withPropertyValues(
                        "latchkey.throttle.api.source.tokens=100",
                        "latchkey.throttle.api.shared=FALSE",
                        "latchkey.throttle.api.rate-limit-fields=True")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void listenerThatFails_silencesNoOtherListener() {
        List<ThrottleEvent> heard = new ArrayList<>();
        service.withPropertyValues("latchkey.throttle.api.source.tokens=100")
                .withBean("broken", ThrottleListener.class, () -> event -> {
                    throw new IllegalStateException("broken");
                })
                .withBean("working", ThrottleListener.class, () -> heard::add)
                .run(context -> context.getBean(ThrottleControls.class)
                        .changeRate("api", ThrottleScope.SOURCE, new BucketRate(50, Duration.ofSeconds(1), 1)));
        assertThat(heard).hasSize(1);
    }

    @Test
    void webFluxServiceHasItsOwnFilterBehindSpringSecuritys() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyThrottleAutoConfiguration.class))
                .withPropertyValues("latchkey.throttle.api.source.tokens=100")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
                    assertThat(context.getBean(ReactiveThrottleFilter.class).getOrder())
                            .isEqualTo(-90);
                    assertThat(context.getBean(ThrottleControls.class)
                                    .snapshot("api")
                                    .rates())
                            .containsOnlyKeys(ThrottleScope.SOURCE);
                });
    }

    @Test
    void switchedOff_orNoWebService_thereIsNothing() {
        String throttle = "latchkey.throttle.api.source.tokens=100";
        service.withPropertyValues(throttle, "latchkey.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(ThrottleControls.class));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyThrottleAutoConfiguration.class))
                .withPropertyValues(throttle)
                .run(context -> assertThat(context).doesNotHaveBean(ThrottleControls.class));
    }

    @Test
    void burstIsAHundredthOfASecondsTokens_whateverThePeriod() {
        assertThat(new ThrottleProperties.Rate(20_000_000, Duration.ofSeconds(1), null)
                        .bucket()
                        .burst())
                .isEqualTo(200_000);
        assertThat(new ThrottleProperties.Rate(600_000, Duration.ofMinutes(1), null)
                        .bucket()
                        .burst())
                .isEqualTo(100);
        assertThat(new ThrottleProperties.Rate(5, Duration.ofHours(1), null)
                        .bucket()
                        .burst())
                .isEqualTo(1);
        assertThat(new ThrottleProperties.Rate(5, Duration.ofHours(1), 5L)
                        .bucket()
                        .burst())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        paths=/a                                         | latchkey.throttle.api limits nothing
        source.tokens=0                                  | needs at least
        source.tokens=5,source.per=0s                    | latchkey.throttle.api
        source.tokens=5,source.per=999999999999s         | latchkey.throttle.api
        source.tokens=5,source.burst=0                   | A bucket holds at least 1 token
        source.tokens=5,max-wait=-1s                     | not negative
        source.tokens=5,source.per=5                     | latchkey.throttle.api.source.per is below a second
        principal.tokens=5,principal.per=5               | latchkey.throttle.api.principal.per is below a second
        global.tokens=5,global.per=5                     | latchkey.throttle.api.global.per is below a second
        source.tokens=5,paths=reports/**                 | latchkey.throttle.api.paths is [reports/**]
        source.tokens=5,paths=                           | latchkey.throttle.api.paths is []
        source.tokens=5,paths=/{a                        | without braces
        source.tokens=5,counts=response-bytes            | would be cut off
        source.tokens=5,chunk=1B                         | latchkey.throttle.api.chunk is below 64 bytes
        source.tokens=5,chunk=2MB                        | above latchkey.throttle.api.max-held
        source.tokens=5,write-timeout=0s                 | must be longer than zero
        source.tokens=5,source.perr=1h                   | no such setting: latchkey.throttle.api.source.perr
        source.tokens=5,max-weit=1h                      | no such setting: latchkey.throttle.api.max-weit
        """)
    void contradiction_isRefusedAtTheStart(String properties, String message) {
        String[] keys = properties.split(",");
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "latchkey.throttle.api." + keys[i];
        }
        service.withPropertyValues(keys)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ThrottleConfigurationException.class)
                        .hasMessageContaining(message));
    }

    @Test
    void sharingWithoutWhatItTakes_stopsTheStart_andSaysWhatThatIs() {
        WebApplicationContextRunner sharing = service.withPropertyValues(
                "latchkey.throttle.api.global.tokens=1", "latchkey.throttle.api.shared=true");
        String secret = "latchkey.guard.shared.secret=" + "k".repeat(32);
        assertStops(sharing.withPropertyValues(secret), "no store for shared throttles");
        WebApplicationContextRunner withStore = sharing.withBean(
                PortionStore.class,
                () -> RedisPortionStore.in(new LettuceConnectionFactory(), RedisSettings.of(new ServiceName("shop"))));
        assertStops(withStore, "latchkey.throttle.api.shared is true, and no key is given");
        assertStops(
                withStore.withPropertyValues("latchkey.guard.shared.secret=file:no-such.key"),
                "latchkey.guard.shared.secret: the file cannot be read");
        assertStops(
                withStore.withPropertyValues("latchkey.guard.shared.secret=/run/secrets/orders/limits-of-the-shop.key"),
                "latchkey.guard.shared.secret is the path of a file");
        assertStops(withStore.withPropertyValues("latchkey.guard.shared.secret=short"), "at least 32 bytes, got 5");
        withStore.withPropertyValues(secret).run(context -> assertThat(context).hasNotFailed());
    }

    /** {@code withPropertyValues} would remove spaces at the end. */
    private static WebApplicationContextRunner withValue(
            WebApplicationContextRunner service, String key, String value) {
        return service.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addLast(new MapPropertySource("switches", Map.of(key, value))));
    }

    private static void assertStops(WebApplicationContextRunner service, String message) {
        service.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .isInstanceOf(ThrottleConfigurationException.class)
                .hasMessageContaining(message));
    }
}
