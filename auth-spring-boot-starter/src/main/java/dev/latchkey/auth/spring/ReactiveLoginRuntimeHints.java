package dev.latchkey.auth.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.AbstractUserDetailsReactiveAuthenticationManager;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.util.ReflectionUtils;

/** Lets a native image read what {@link ReactiveLoginParts} reaches by reflection. */
final class ReactiveLoginRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionUtils.doWithLocalFields(
                AbstractUserDetailsReactiveAuthenticationManager.class, hints.reflection()::registerField);
        ReflectionUtils.doWithLocalFields(ReactiveUserDetailsPasswordService.class, hints.reflection()::registerField);
        ReflectionUtils.doWithLocalMethods(AbstractUserDetailsReactiveAuthenticationManager.class, method -> {
            if (method.getName().equals("retrieveUser")) {
                hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
            }
        });
    }
}
