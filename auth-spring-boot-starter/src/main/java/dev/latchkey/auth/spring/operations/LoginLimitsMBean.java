package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Login limits for JMX: plain types, so that any console can show and change them. */
record LoginLimitsMBean(LoginLimits limits) implements LoginLimitsMXBean {

    @Override
    public Map<String, List<String>> getWindows() {
        LoginLimitSettings settings = limits.settings();
        Map<String, List<String>> windows = new TreeMap<>();
        for (LoginBucket bucket : LoginBucket.values()) {
            windows.put(
                    LimitNames.of(bucket),
                    settings.policy(bucket).windows().stream()
                            .map(LoginLimitsMBean::text)
                            .toList());
        }
        return windows;
    }

    private static String text(LimitWindow window) {
        return "%d per %s s".formatted(window.tokens(), window.per().toMillis() / 1000.0);
    }

    @Override
    public int getWaiting() {
        return limits.stats().waiting();
    }

    @Override
    public long getRemembered() {
        return limits.stats().remembered();
    }

    @Override
    public long getAdmitted() {
        return limits.stats().admitted();
    }

    @Override
    public Map<String, Long> getRefused() {
        return LatchkeyReport.byCode(limits.stats().refused(), count -> count);
    }

    @Override
    public void changeWindow(String bucket, int window, long tokens, long perSeconds) {
        Changing.byJmx(() -> limits.change(
                LimitNames.bucket(bucket), window, LimitWindow.of(tokens, Duration.ofSeconds(perSeconds))));
    }
}
