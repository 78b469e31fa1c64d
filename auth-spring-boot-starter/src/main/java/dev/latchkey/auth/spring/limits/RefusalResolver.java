package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.CurrentRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Passes the failure of a controller's login to {@link RefusalFilter}, past the service's exception handlers: a handler for every
 * exception would answer with an internal error. A handler for the failure's own type is called.
 */
@Component("latchkeyRefusalResolver")
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnMissingBean(name = "latchkeyRefusalResolver")
final class RefusalResolver implements HandlerExceptionResolver, PriorityOrdered {

    private final SingletonSupplier<Boolean> advised;
    private final Map<Class<?>, Boolean> naming = new ConcurrentHashMap<>();

    RefusalResolver(ApplicationContext context) {
        advised = SingletonSupplier.of(() -> ControllerAdviceBean.findAnnotatedBeans(context).stream()
                .map(ControllerAdviceBean::getBeanType)
                .anyMatch(type -> type != null && handlesRefusals(type)));
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (failure instanceof AuthUnavailableException refusal
                && CurrentRequest.isAnswered()
                && !isForTheService(handler)) {
            throw refusal;
        }
        return null;
    }

    private boolean isForTheService(@Nullable Object handler) {
        return advised.obtain()
                || (handler instanceof HandlerMethod method
                        && naming.computeIfAbsent(method.getBeanType(), RefusalResolver::handlesRefusals));
    }

    private static boolean handlesRefusals(Class<?> type) {
        return !MethodIntrospector.selectMethods(type, RefusalResolver::namesRefusals)
                .isEmpty();
    }

    private static boolean namesRefusals(Method method) {
        ExceptionHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
        return handler != null
                && Stream.concat(Arrays.stream(handler.value()), Arrays.stream(method.getParameterTypes()))
                        .anyMatch(type -> type == AuthUnavailableException.class);
    }
}
