package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The environment of a plugin with checked settings.
 *
 * @param described the keys of the factory's descriptions
 * @param reported the mistakes between settings so far
 */
record ConfiguredEnvironment(
        String name,
        PluginConfig config,
        Set<String> described,
        InstantSource clock,
        Listeners listeners,
        OutageLog outages,
        Set<String> reported)
        implements PluginEnvironment {

    private static final Pattern EVENT = Pattern.compile("[a-z0-9_]{1,64}");

    @Override
    public <T> T get(PluginSetting<T> setting) {
        return find(setting).orElseThrow(() -> missing(setting));
    }

    @Override
    public <T> Optional<T> find(PluginSetting<T> setting) {
        if (!described.contains(setting.key())) {
            throw new IllegalArgumentException("The factory's settings() lack " + setting.key());
        }
        return config.find(setting);
    }

    @Override
    public PluginConfigException wrong(PluginSetting<?> setting, String rule) {
        return reported(config.sentenceOfWrong(setting.key(), rule));
    }

    @Override
    public PluginConfigException missing(PluginSetting<?> setting) {
        return reported(config.sentenceOfMissing(setting.key()));
    }

    private PluginConfigException reported(String mistake) {
        reported.add(mistake);
        return new PluginConfigException(mistake);
    }

    @Override
    public void count(String event) {
        if (!EVENT.matcher(event).matches()) {
            throw new IllegalArgumentException("An event is a code of 1 to 64 of [a-z0-9_]");
        }
        listeners.tell(new AuthEvent.Counted(name, event));
    }

    @Override
    public void reportOutage() {
        outages.failed(name, AuthUnavailableException.outage("The plugin reported an outage"));
    }

    /** Without the settings. */
    @Override
    public String toString() {
        return "PluginEnvironment[" + name + "]";
    }
}
