package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.spring.http.ReactiveWork;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Evaluates permission expressions of WebFlux method security on threads that may block.
 *
 * <p>{@code hasPermission} returns a value, so the plugin runs within the evaluation, often on an event loop. Spring Security
 * also accepts a {@link Mono} as an expression's value. These expressions return a Mono that runs on {@link ReactiveWork}.
 *
 * <p>A filter expression is evaluated at once, since Spring Security sets the next element in the same context. A later
 * evaluation would see another element. On an event loop, such an expression throws an {@link IllegalStateException}.
 */
final class WaitingExpressions extends SpelExpressionParser {

    private static final String ASKING = "hasPermission";
    private static final String FILTERING = "filterObject";

    private final SpelParserConfiguration configuration = new SpelParserConfiguration();
    private final Supplier<ReactiveWork> work;

    /**
     * @param work resolved at the first evaluation
     */
    WaitingExpressions(Supplier<ReactiveWork> work) {
        this.work = work;
    }

    @Override
    protected SpelExpression doParseExpression(String text, @Nullable ParserContext context) {
        SpelExpression parsed = super.doParseExpression(text, context);
        return text.contains(ASKING) ? new Waiting(parsed) : parsed;
    }

    private final class Waiting extends SpelExpression {

        Waiting(SpelExpression parsed) {
            super(parsed.getExpressionString(), (SpelNodeImpl) parsed.getAST(), configuration);
        }

        @Override
        public @Nullable Object getValue(EvaluationContext context) {
            if (getExpressionString().contains(FILTERING)) {
                return filtering(context);
            }
            return work.get().run(() -> super.getValue(context)).flatMap(Waiting::flat);
        }

        private @Nullable Object filtering(EvaluationContext context) {
            if (Schedulers.isInNonBlockingThread()) {
                throw new IllegalStateException(
                        "'" + getExpressionString() + "' may wait for a plugin, and this is an event loop: "
                                + "let the filtered Flux be published on a thread that may wait, by publishOn(Schedulers.boundedElastic())");
            }
            return super.getValue(context);
        }

        /** The value of an expression may be a {@link Mono} of the service. */
        private static Mono<?> flat(@Nullable Object value) {
            return value instanceof Mono<?> later ? later : Mono.justOrEmpty(value);
        }
    }
}
